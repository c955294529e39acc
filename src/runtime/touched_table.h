// The table behind touched.h: which words of memory were noted and not cleared since.
//
// Claim   A word that was noted is touched until it is cleared, whatever is noted or cleared beside it. Others are taken for touched
//         where two lines share an entry, or where they lie among large ranges that were noted.
// Cost    A look per line of 64 bytes; a locked exchange where an entry changes.
#pragma once

#include "runtime/context.h"

namespace deadheat::runtime {

inline constexpr U64 kLineBytes = 64;
inline constexpr U64 kMostLines = 1024; // of a block or a range; larger blocks are always touched
inline constexpr U32 kTouchedBits = 17;

struct TouchedTable {
  U64 *entries; // 1 << kTouchedBits
  TouchedRange &large;

  void note(U64 address, U64 bytes) const;
  bool has(U64 address, U64 bytes) const; // any of these
  void clear(U64 address, U64 bytes) const;
};

} // namespace deadheat::runtime
