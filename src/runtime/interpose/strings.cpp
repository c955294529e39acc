// Functions of the C library that read or write memory of the program, and that compilers leave as calls.
//
// Claim   What such a call reads or writes is told if the call lies in one that runs told, or if all do. As a call that runs told may
//         last for ever, places that call are sampled besides.
// Misses  memcpy, memmove and memset in code that is not instrumented: instrumented code tells its own. The rest of
//         <string.h> and <stdio.h>.

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "runtime/interpose/interpose.h"
#include "runtime/sampler.h"

namespace deadheat::runtime {
namespace {

bool isTold(const Caller &caller) {
  if (!isAttached() || !tells(thread)) return false;
  if (context.flags.sampler == abi::Sampler::Full) return true;
  dropFrames(thread, returnSlotOf(caller.frame));
  return thread.depth != 0 && takeCall(thread, caller.returns);
}

// With its end.
U64 bytesOf(const char *text) {
  U64 bytes = 1;
  while (*text++ != 0) ++bytes;
  return bytes;
}

// As far as a comparison has to look.
U64 comparedBytes(const char *left, const char *right, U64 most) {
  U64 bytes = 0;
  while (bytes != most && left[bytes] == right[bytes] && left[bytes] != 0) ++bytes;
  return bytes == most ? most : bytes + 1;
}

void tellTwo(const void *left, const void *right, U64 bytes, const Caller &caller) {
  tellBytes(false, left, bytes, caller);
  tellBytes(false, right, bytes, caller);
}

constexpr U64 kNoLimit = ~U64(0);

} // namespace

// `tell` runs before the call, with `caller`.
#define STRING(result, name, parameters, arguments, tell)                                                              \
  INTERPOSE(result, name, parameters) {                                                                                \
    if (const Caller caller = CALLER; isTold(caller)) tell;                                                            \
    return NEXT(name) arguments;                                                                                       \
  }

STRING(int, memcmp, (const void *left, const void *right, size_t bytes), (left, right, bytes),
       tellTwo(left, right, bytes, caller))
STRING(int, bcmp, (const void *left, const void *right, size_t bytes), (left, right, bytes),
       tellTwo(left, right, bytes, caller))
STRING(int, strcmp, (const char *left, const char *right), (left, right),
       tellTwo(left, right, comparedBytes(left, right, kNoLimit), caller))
STRING(int, strncmp, (const char *left, const char *right, size_t most), (left, right, most),
       tellTwo(left, right, comparedBytes(left, right, most), caller))
STRING(size_t, strlen, (const char *text), (text), tellBytes(false, text, bytesOf(text), caller))
STRING(int, puts, (const char *text), (text), tellBytes(false, text, bytesOf(text), caller))
STRING(int, fputs, (const char *text, FILE *file), (text, file), tellBytes(false, text, bytesOf(text), caller))
STRING(size_t, fwrite, (const void *memory, size_t size, size_t count, FILE *file), (memory, size, count, file),
       tellBytes(false, memory, size *count, caller))
STRING(size_t, fread, (void *memory, size_t size, size_t count, FILE *file), (memory, size, count, file),
       tellBytes(true, memory, size *count, caller))

INTERPOSE(char *, strcpy, (char *to, const char *from)) {
  if (const Caller caller = CALLER; isTold(caller)) {
    tellBytes(false, from, bytesOf(from), caller);
    tellBytes(true, to, bytesOf(from), caller);
  }
  return NEXT(strcpy)(to, from);
}

} // namespace deadheat::runtime
