// Which threads write a place, so that nobody takes what he has written there himself for what is there still.
//
// Claim   mayChange(reader, place) is true if a statement that a thread other than the reader's executes may store there: another one,
//         or another instance of the reader's.
// Assumes what only the reader's one thread writes stays as it left it.
// Cost    linear in statements, once; a question looks at the stores of one points-to class, at most kMaxPlaces of them.
// Misses  what the library writes for a thread; what is copied or filled as a whole.
#pragma once

#include <vector>

#include "link/program.h"

namespace deadheat::analyse {

class Writers {
public:
  explicit Writers(const link::Program &program);

  bool mayChange(link::FuncId reader, link::Location place) const;

private:
  struct Stored {
    link::Location place;
    link::ThreadId by; // invalid: by several
    auto operator<=>(const Stored &) const = default;
  };
  // Of a class.
  struct Stores {
    std::vector<Stored> list = {}; // sorted
    bool isAnywhere = false;       // there are too many to tell apart
  };
  static constexpr size_t kMaxPlaces = 64;

  link::ThreadId onlyOne(link::FuncId function) const;
  void add(link::Location place, link::ThreadId by);

  const link::Program &program_;
  std::vector<Stores> stores_; // [class]
};

} // namespace deadheat::analyse
