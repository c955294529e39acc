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

constexpr U32 kLookAgain = 31; // calls that are passed over after one that lay in no told call

bool isTold(const Caller &caller) {
  if (!isAttached() || !tells(thread)) return false;
  if (context.flags.sampler == abi::Sampler::Full) return true;
  dropFrames(thread, returnSlotOf(caller.frame));
  if (thread.depth != 0) return takeCall(thread, caller.returns);
  callState(*thread.own, caller.returns).pause = kLookAgain;
  return false;
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

// `tell` runs before the call, with `caller`. A call that is passed over goes on by jumps, and saves no register.
#define STRING(result, name, parameters, arguments, tell)                                                              \
  [[gnu::noinline]] static result told_##name parameters {                                                             \
    if (const Caller caller = CALLER; isTold(caller)) tell;                                                            \
    return NEXT(name) arguments;                                                                                       \
  }                                                                                                                    \
  INTERPOSE(result, name, parameters) {                                                                                \
    void *const next = knownFunction(Symbol::name);                                                                    \
    if (!next || !passesOverCall(thread, reinterpret_cast<U64>(__builtin_return_address(0)))) [[unlikely]]             \
      [[clang::musttail]] return told_##name arguments;                                                                \
    return reinterpret_cast<decltype(&::name)>(next) arguments;                                                        \
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

STRING(char *, strcpy, (char *to, const char *from), (to, from),
       (tellBytes(false, from, bytesOf(from), caller), tellBytes(true, to, bytesOf(from), caller)))

} // namespace deadheat::runtime
