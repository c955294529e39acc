// The table behind touched.h: which words of memory were noted and not cleared since.
//
// Claim   A word that was noted is touched until it is cleared, whatever is noted or cleared beside it. Others are touched only where they
//         lie among ranges of more than kMostBytes that were noted.
// Assumes blocks share no word.
// Cost    A bit for each word of the address space, in memory that is there once it is used: a look per 512 bytes, a locked operation
//         where bits change.
// Differs A table by hash of lines, smaller and mapped anywhere, filled up for good: after half a million told accesses all of leveldb's blocks
//         were touched.
#pragma once

#include "runtime/context.h"

namespace deadheat::runtime {

inline constexpr U64 kWordBytes = 8;
inline constexpr U64 kMostBytes = U64(1) << 26; // of a block or a range; larger blocks are always touched
inline constexpr U64 kSmallBytes = 512;         // of no more than two words of the table
inline constexpr U64 kTouchedBytes = (abi::kAddressMask + 1) / kWordBytes / 8;

struct TouchedTable {
  U64 *bits; // kTouchedBytes
  TouchedRange &large;

  void note(U64 address, U64 bytes) const;
  bool has(U64 address, U64 bytes) const; // any of these

  // Of no more bytes than two words of the table have bits for.
  bool hasSmall(U64 address, U64 bytes) const {
    const U64 first = (address & abi::kAddressMask) / kWordBytes,
              last = (address + bytes - 1 & abi::kAddressMask) / kWordBytes;
    const U64 low = abi::loadRelaxed(bits[first / 64]) >> first % 64;
    if (first / 64 == last / 64) return low << (63 - (last - first)) != 0;
    return (low | abi::loadRelaxed(bits[last / 64]) << (63 - last % 64)) != 0;
  }
  void clear(U64 address, U64 bytes) const;
};

} // namespace deadheat::runtime
