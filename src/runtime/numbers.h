// A thread's numbers for things that are told once and named by their number from then on: calling contexts and spots.
//
// Claim   Equal keys have one number, from 1 in the order in which they came. Past the limit there is none: 0.
// Cost    One multiplication and mostly one comparison. Grows by mapping anew: never call it where a signal's handler could
//         come between and call it, too (writer.h).
#pragma once

#include "runtime/system.h"

namespace deadheat::runtime {

struct NumberKey {
  U64 first;
  U64 second;

  bool operator==(const NumberKey &) const = default;
};

class Numbers {
public:
  // `isNew` tells whether the number was given just now.
  U32 find(const NumberKey &key, U32 limit, bool &isNew);

  U32 count() const { return count_; }
  void release();

private:
  struct Row {
    NumberKey key;
    U32 number; // 0: empty
  };

  bool grow();
  Row &place(const NumberKey &key) const;

  Row *rows_;
  U32 capacity_; // a power of two, or 0
  U32 count_;
};

} // namespace deadheat::runtime
