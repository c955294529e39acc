// Which memory a sampled run told accesses of since it was last allocated: other memory needs no telling when it is allocated and
// freed, as there is nothing to forget.
//
// Claim   A word that was noted is touched until it is cleared. Others are taken for touched where two lines share an entry, or
//         where they lie among large ranges that were noted.
// Assumes whoever frees a block is after those who accessed it, or it is a race all the same.
// Cost    A look per line of 64 bytes; a locked exchange where an entry changes.
#pragma once

#include "runtime/touched_table.h"

namespace deadheat::runtime {

// Maps the table where the run leaves things out; without one all memory is touched.
void prepareTouched(Context &process);

void noteTouchedLines(U64 address, U64 bytes);

// Of an access that is told.
inline void noteTouched(U64 address, U64 bytes) {
  if (context.touched) noteTouchedLines(address, bytes);
}

bool wasTouched(U64 address, U64 bytes);
void clearTouched(U64 address, U64 bytes);

} // namespace deadheat::runtime
