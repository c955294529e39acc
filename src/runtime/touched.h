// Which lines of memory a sampled run told accesses of since they were last allocated: the others need no telling when they are
// allocated and freed, as there is nothing to forget.
//
// Claim   A line that was noted is touched until it is cleared. Others are taken for touched where two share an entry.
// Assumes whoever frees a block is after those who accessed it, or it is a race all the same.
// Cost    A look per line of 64 bytes; a locked exchange where an entry changes.
#pragma once

#include "runtime/context.h"

namespace deadheat::runtime {

inline constexpr U64 kLineBytes = 64;
inline constexpr U64 kMostLines = 1024; // of a block; larger ones are always told
inline constexpr U32 kTouchedBits = 17;

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
