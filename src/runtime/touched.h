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

// Of an access that is told.
inline void noteTouched(U64 address, U64 bytes) {
  if (context.touched) noteTouchedWords(address, bytes);
}

bool wasTouched(U64 address, U64 bytes);
void clearTouched(U64 address, U64 bytes);

} // namespace deadheat::runtime
