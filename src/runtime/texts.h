// How many bytes functions of the C library look at in texts: what `run` tells and what directed threads stand before.
//
// The library's own functions are interposed, and the runtime calls none of them.
#pragma once

#include "runtime/system.h"

namespace deadheat::runtime {

inline constexpr U64 kNoLimit = ~U64(0);

// With its end, if that comes in time.
inline U64 bytesOf(const char *text, U64 most = kNoLimit) {
  U64 bytes = 0;
  while (bytes != most && text[bytes] != 0) ++bytes;
  return bytes == most ? most : bytes + 1;
}

// As far as a comparison has to look.
inline U64 comparedBytes(const char *left, const char *right, U64 most) {
  U64 bytes = 0;
  while (bytes != most && left[bytes] == right[bytes] && left[bytes] != 0) ++bytes;
  return bytes == most ? most : bytes + 1;
}

} // namespace deadheat::runtime
