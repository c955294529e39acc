// Which memory a sampled run told accesses of since it was last allocated: other memory needs no telling when it is allocated and
// freed, as there is nothing to forget.
//
// Claim   What touched_table.h claims; where there is no address space for the table, all memory is touched, and allocating is told.
// Assumes whoever frees a block is after those who accessed it, or it is a race all the same.
// Cost    A look at the table for each allocation and release.
#pragma once

#include "runtime/touched_table.h"

namespace deadheat::runtime {

// Maps the table where the run leaves things out; without one all memory is touched.
void prepareTouched(Context &process);

void noteTouchedWords(U64 address, U64 bytes);

// Of an access that is told: mostly of a word that was, before.
inline void noteTouched(U64 address, U64 bytes) {
  if (!context.touched) return;
  const U64 word = (address & abi::kAddressMask) / kWordBytes;
  const bool isOneWord = address % kWordBytes + bytes <= kWordBytes;
  if (isOneWord && (abi::loadRelaxed(context.touched[word / 64]) >> word % 64 & 1) != 0) return;
  noteTouchedWords(address, bytes);
}

bool wereWordsTouched(U64 address, U64 bytes);

// Of a block that is allocated or freed: mostly a small one, where nothing large was told.
inline bool wasTouched(U64 address, U64 bytes) {
  if (!context.touched) return true;
  TouchedRange &large = context.page->large;
  if (bytes - 1 >= kSmallBytes || abi::loadRelaxed(large.high) != 0) return wereWordsTouched(address, bytes);
  return TouchedTable{context.touched, large}.hasSmall(address, bytes);
}
void clearTouched(U64 address, U64 bytes);

} // namespace deadheat::runtime
