// Functions of the C library that read or write memory of the program, and that compilers leave as calls.
//
// Claim   What such a call reads or writes is told if the call lies in one that runs told, or if all do. As a call that runs told may
//         last for ever, places that call are sampled besides.
// Misses  memcpy, memmove and memset in code that is not instrumented: instrumented code tells its own. The rest of
//         <string.h> and <stdio.h>; what is printed into memory: formats.cpp.

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "runtime/interpose/strings.h"
#include "runtime/texts.h"

// Of glibc; headers have them where they use them.
extern "C" {
char *__strcpy_chk(char *to, const char *from, size_t room);
char *__strncpy_chk(char *to, const char *from, size_t most, size_t room);
char *__strcat_chk(char *to, const char *from, size_t room);
}

namespace deadheat::runtime {
namespace {

void tellTwo(const void *left, const void *right, U64 bytes, const Caller &caller) {
  tellBytes(false, left, bytes, caller);
  tellBytes(false, right, bytes, caller);
}

void tellCopy(const void *to, const void *from, U64 bytes, const Caller &caller) {
  tellBytes(false, from, bytes, caller);
  tellBytes(true, to, bytes, caller);
}

// The end of what is there is written over.
void tellAppend(const char *to, const char *from, U64 bytes, const Caller &caller) {
  const U64 before = bytesOf(to);
  tellBytes(false, to, before, caller);
  tellCopy(to + before - 1, from, bytes, caller);
}

void tellSpan(const char *text, const char *letters, bool isOfThem, const Caller &caller) {
  tellBytes(false, text, spannedBytes(text, letters, isOfThem), caller);
  tellBytes(false, letters, bytesOf(letters), caller);
}

// As far as it has to look, at least: to where the word may begin.
void tellSearch(const char *text, const char *word, const Caller &caller) {
  if (*word != 0) tellBytes(false, text, searchedBytes(text, *word), caller);
  tellBytes(false, word, bytesOf(word), caller);
}

void tellNumber(const char *text, char **end, int base, const Caller &caller) {
  tellBytes(false, text, numberBytes(text, base), caller);
  if (end) tellBytes(true, end, sizeof *end, caller);
}

} // namespace

// `tell` runs before the call, with `caller`. A call that is passed over goes on by jumps, and saves no register.
#define STRING(result, name, parameters, arguments, tell)                                                              \
  [[gnu::noinline]] static result told_##name parameters {                                                             \
    if (const Caller caller = CALLER; isToldCall(caller)) tell;                                                        \
    return reinterpret_cast<result(*) parameters>(nextFunction(Symbol::name)) arguments;                               \
  }                                                                                                                    \
  INTERPOSE(result, name, parameters) {                                                                                \
    void *const next = knownFunction(Symbol::name);                                                                    \
    if (!next || !passesOverCall(thread, reinterpret_cast<U64>(__builtin_return_address(0)))) [[unlikely]]             \
      [[clang::musttail]] return told_##name arguments;                                                                \
    return reinterpret_cast<result(*) parameters>(next) arguments;                                                     \
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
STRING(size_t, strnlen, (const char *text, size_t most), (text, most),
       tellBytes(false, text, bytesOf(text, most), caller))
STRING(int, strcasecmp, (const char *left, const char *right), (left, right),
       tellTwo(left, right, comparedBytes(left, right, kNoLimit), caller))
STRING(int, strncasecmp, (const char *left, const char *right, size_t most), (left, right, most),
       tellTwo(left, right, comparedBytes(left, right, most), caller))
STRING(char *, strchr, (const char *text, int letter), (text, letter),
       tellBytes(false, text, searchedBytes(text, static_cast<char>(letter)), caller))
STRING(char *, strrchr, (const char *text, int letter), (text, letter), tellBytes(false, text, bytesOf(text), caller))
STRING(char *, strstr, (const char *text, const char *word), (text, word), tellSearch(text, word, caller))
STRING(char *, strpbrk, (const char *text, const char *letters), (text, letters),
       tellSpan(text, letters, false, caller))
STRING(size_t, strspn, (const char *text, const char *letters), (text, letters), tellSpan(text, letters, true, caller))
STRING(size_t, strcspn, (const char *text, const char *letters), (text, letters),
       tellSpan(text, letters, false, caller))
STRING(char *, strdup, (const char *text), (text), tellBytes(false, text, bytesOf(text), caller))
STRING(char *, strndup, (const char *text, size_t most), (text, most),
       tellBytes(false, text, bytesOf(text, most), caller))
STRING(void *, memchr, (const void *memory, int byte, size_t most), (memory, byte, most),
       tellBytes(false, memory, searchedBytes(memory, byte, most), caller))
STRING(int, atoi, (const char *text), (text), tellBytes(false, text, numberBytes(text), caller))
STRING(long, atol, (const char *text), (text), tellBytes(false, text, numberBytes(text), caller))
STRING(long, strtol, (const char *text, char **end, int base), (text, end, base), tellNumber(text, end, base, caller))
STRING(unsigned long, strtoul, (const char *text, char **end, int base), (text, end, base),
       tellNumber(text, end, base, caller))
STRING(char *, getenv, (const char *name), (name), tellBytes(false, name, bytesOf(name), caller))
STRING(time_t, time, (time_t *now), (now), tellBytes(true, now, now ? sizeof *now : 0, caller))
STRING(int, rand_r, (unsigned *seed), (seed), tellBytes(true, seed, sizeof *seed, caller))
STRING(int, puts, (const char *text), (text), tellBytes(false, text, bytesOf(text), caller))
STRING(int, fputs, (const char *text, FILE *file), (text, file), tellBytes(false, text, bytesOf(text), caller))
STRING(size_t, fwrite, (const void *memory, size_t size, size_t count, FILE *file), (memory, size, count, file),
       tellBytes(false, memory, size *count, caller))
STRING(size_t, fread, (void *memory, size_t size, size_t count, FILE *file), (memory, size, count, file),
       tellBytes(true, memory, size *count, caller))

STRING(char *, strcpy, (char *to, const char *from), (to, from), tellCopy(to, from, bytesOf(from), caller))
STRING(char *, stpcpy, (char *to, const char *from), (to, from), tellCopy(to, from, bytesOf(from), caller))
STRING(char *, strncpy, (char *to, const char *from, size_t most), (to, from, most),
       (tellBytes(false, from, bytesOf(from, most), caller), tellBytes(true, to, most, caller)))
STRING(char *, strcat, (char *to, const char *from), (to, from), tellAppend(to, from, bytesOf(from), caller))
STRING(char *, strncat, (char *to, const char *from, size_t most), (to, from, most),
       tellAppend(to, from, bytesOf(from, most), caller))

// As headers have them under _FORTIFY_SOURCE.
STRING(char *, __strcpy_chk, (char *to, const char *from, size_t room), (to, from, room),
       tellCopy(to, from, bytesOf(from), caller))
STRING(char *, __strncpy_chk, (char *to, const char *from, size_t most, size_t room), (to, from, most, room),
       (tellBytes(false, from, bytesOf(from, most), caller), tellBytes(true, to, most, caller)))
STRING(char *, __strcat_chk, (char *to, const char *from, size_t room), (to, from, room),
       tellAppend(to, from, bytesOf(from), caller))

} // namespace deadheat::runtime
