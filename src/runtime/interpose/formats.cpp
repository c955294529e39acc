// Functions of the C library that write text into memory of the program, as much as they say afterwards.
//
// Claim   As strings.cpp. Arguments are passed on as they are: vector registers too, which hold floating-point ones and which the rest of the
//         runtime leaves alone.
// Misses  what they read: strings that a format names.

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "runtime/interpose/strings.h"
#include "runtime/texts.h"

// Of glibc; headers have them where they use them.
extern "C" {
int __vsprintf_chk(char *to, int flag, size_t room, const char *format, va_list list);
int __vsnprintf_chk(char *to, size_t most, int flag, size_t room, const char *format, va_list list);
int __sprintf_chk(char *to, int flag, size_t room, const char *format, ...);
int __snprintf_chk(char *to, size_t most, int flag, size_t room, const char *format, ...);
int __xpg_strerror_r(int error, char *to, size_t room);
}

namespace deadheat::runtime {
namespace {

// `result`: the length of the text, or less than 0.
int tellPrinted(const char *to, U64 most, int result, const Caller &caller) {
  if (result < 0 || most == 0 || passesOverCall(thread, caller.returns) || !isToldCall(caller)) return result;
  const U64 bytes = static_cast<U64>(result) + 1;
  tellBytes(true, to, bytes < most ? bytes : most, caller);
  return result;
}

U64 lengthOf(const char *text, U64 most) {
  U64 length = 0;
  while (length != most && text[length] != 0) ++length;
  return length;
}

} // namespace

#define WITH_LIST(last, call)                                                                                          \
  va_list list;                                                                                                        \
  va_start(list, last);                                                                                                \
  const int result = call;                                                                                             \
  va_end(list)

INTERPOSE(int, vsnprintf, (char *to, size_t most, const char *format, va_list list)) {
  return tellPrinted(to, most, NEXT(vsnprintf)(to, most, format, list), CALLER);
}
INTERPOSE(int, vsprintf, (char *to, const char *format, va_list list)) {
  return tellPrinted(to, kNoLimit, NEXT(vsprintf)(to, format, list), CALLER);
}
INTERPOSE(int, __vsnprintf_chk, (char *to, size_t most, int flag, size_t room, const char *format, va_list list)) {
  return tellPrinted(to, most, NEXT(__vsnprintf_chk)(to, most, flag, room, format, list), CALLER);
}
INTERPOSE(int, __vsprintf_chk, (char *to, int flag, size_t room, const char *format, va_list list)) {
  return tellPrinted(to, kNoLimit, NEXT(__vsprintf_chk)(to, flag, room, format, list), CALLER);
}
// So that floating-point arguments are kept where the list finds them.
#pragma clang attribute push(__attribute__((target("sse2"))), apply_to = function)

INTERPOSE(int, snprintf, (char *to, size_t most, const char *format, ...)) {
  WITH_LIST(format, NEXT(vsnprintf)(to, most, format, list));
  return tellPrinted(to, most, result, CALLER);
}
INTERPOSE(int, sprintf, (char *to, const char *format, ...)) {
  WITH_LIST(format, NEXT(vsprintf)(to, format, list));
  return tellPrinted(to, kNoLimit, result, CALLER);
}
INTERPOSE(int, __snprintf_chk, (char *to, size_t most, int flag, size_t room, const char *format, ...)) {
  WITH_LIST(format, NEXT(__vsnprintf_chk)(to, most, flag, room, format, list));
  return tellPrinted(to, most, result, CALLER);
}
INTERPOSE(int, __sprintf_chk, (char *to, int flag, size_t room, const char *format, ...)) {
  WITH_LIST(format, NEXT(__vsprintf_chk)(to, flag, room, format, list));
  return tellPrinted(to, kNoLimit, result, CALLER);
}

#pragma clang attribute pop

INTERPOSE(char *, fgets, (char *to, int room, FILE *file)) {
  char *const result = NEXT(fgets)(to, room, file);
  if (result && room > 0)
    tellPrinted(to, static_cast<U64>(room), static_cast<int>(lengthOf(to, static_cast<U64>(room))), CALLER);
  return result;
}
// glibc's own returns a text that it has, or `to`.
INTERPOSE(char *, strerror_r, (int error, char *to, size_t room)) {
  char *const result = NEXT(strerror_r)(error, to, room);
  if (result == to) tellPrinted(to, room, static_cast<int>(lengthOf(to, room)), CALLER);
  return result;
}
INTERPOSE(int, __xpg_strerror_r, (int error, char *to, size_t room)) {
  const int result = NEXT(__xpg_strerror_r)(error, to, room);
  if (result == 0) tellPrinted(to, room, static_cast<int>(lengthOf(to, room)), CALLER);
  return result;
}

} // namespace deadheat::runtime
