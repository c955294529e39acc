// Functions of the C library that print: they read texts that their format names, and some write into memory of the program, as much as they
// say afterwards.
//
// Claim   As strings.cpp. Arguments are passed on as they are: vector registers too, which hold floating-point ones and which the rest of the
//         runtime leaves alone.
// Misses  printed_texts.h; the format itself; asprintf, dprintf.

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "runtime/interpose/strings.h"
#include "runtime/printed_texts.h"

// Of glibc; headers have them where they use them.
extern "C" {
int __vsprintf_chk(char *to, int flag, size_t room, const char *format, va_list list);
int __vsnprintf_chk(char *to, size_t most, int flag, size_t room, const char *format, va_list list);
int __sprintf_chk(char *to, int flag, size_t room, const char *format, ...);
int __snprintf_chk(char *to, size_t most, int flag, size_t room, const char *format, ...);
int __vprintf_chk(int flag, const char *format, va_list list);
int __vfprintf_chk(FILE *file, int flag, const char *format, va_list list);
int __printf_chk(int flag, const char *format, ...);
int __fprintf_chk(FILE *file, int flag, const char *format, ...);
int __xpg_strerror_r(int error, char *to, size_t room);
}

namespace deadheat::runtime {
namespace {

bool isTold(const Caller &caller) { return !passesOverCall(thread, caller.returns) && isToldCall(caller); }

// `result`: the length of the text, or less than 0.
void tellWritten(const char *to, U64 most, int result, const Caller &caller) {
  if (result < 0 || most == 0) return;
  const U64 bytes = static_cast<U64>(result) + 1;
  tellBytes(true, to, bytes < most ? bytes : most, caller);
}

void tellLine(const char *to, U64 most, U64 length, const Caller &caller) {
  if (isTold(caller)) tellWritten(to, most, static_cast<int>(length), caller);
}

// One call: what it reads is told before, what it has written after.
class Printing {
public:
  Printing(const char *format, va_list list, const Caller &caller) : caller_(caller), isTold_(isTold(caller)) {
    if (!isTold_) return;
    PrintedTexts texts(format, list);
    for (PrintedText text = {}; texts.next(text);) tellBytes(false, text.begin, text.bytes, caller);
  }

  int into(const char *to, U64 most, int result) const {
    if (isTold_) tellWritten(to, most, result, caller_);
    return result;
  }

private:
  Caller caller_;
  bool isTold_;
};

U64 lengthOf(const char *text, U64 most) {
  U64 length = 0;
  while (length != most && text[length] != 0) ++length;
  return length;
}

} // namespace

// `call` is made with `list`, and `printing` is known.
#define WITH_LIST(call)                                                                                                \
  va_list list;                                                                                                        \
  va_start(list, format);                                                                                              \
  const Printing printing(format, list, CALLER);                                                                       \
  const int result = call;                                                                                             \
  va_end(list)

INTERPOSE(int, vsnprintf, (char *to, size_t most, const char *format, va_list list)) {
  const Printing printing(format, list, CALLER);
  return printing.into(to, most, NEXT(vsnprintf)(to, most, format, list));
}
INTERPOSE(int, vsprintf, (char *to, const char *format, va_list list)) {
  const Printing printing(format, list, CALLER);
  return printing.into(to, kNoLimit, NEXT(vsprintf)(to, format, list));
}
INTERPOSE(int, __vsnprintf_chk, (char *to, size_t most, int flag, size_t room, const char *format, va_list list)) {
  const Printing printing(format, list, CALLER);
  return printing.into(to, most, NEXT(__vsnprintf_chk)(to, most, flag, room, format, list));
}
INTERPOSE(int, __vsprintf_chk, (char *to, int flag, size_t room, const char *format, va_list list)) {
  const Printing printing(format, list, CALLER);
  return printing.into(to, kNoLimit, NEXT(__vsprintf_chk)(to, flag, room, format, list));
}
INTERPOSE(int, vprintf, (const char *format, va_list list)) {
  const Printing printing(format, list, CALLER);
  return NEXT(vprintf)(format, list);
}
INTERPOSE(int, vfprintf, (FILE * file, const char *format, va_list list)) {
  const Printing printing(format, list, CALLER);
  return NEXT(vfprintf)(file, format, list);
}
INTERPOSE(int, __vprintf_chk, (int flag, const char *format, va_list list)) {
  const Printing printing(format, list, CALLER);
  return NEXT(__vprintf_chk)(flag, format, list);
}
INTERPOSE(int, __vfprintf_chk, (FILE * file, int flag, const char *format, va_list list)) {
  const Printing printing(format, list, CALLER);
  return NEXT(__vfprintf_chk)(file, flag, format, list);
}
// So that floating-point arguments are kept where the list finds them.
#pragma clang attribute push(__attribute__((target("sse2"))), apply_to = function)

INTERPOSE(int, snprintf, (char *to, size_t most, const char *format, ...)) {
  WITH_LIST(NEXT(vsnprintf)(to, most, format, list));
  return printing.into(to, most, result);
}
INTERPOSE(int, sprintf, (char *to, const char *format, ...)) {
  WITH_LIST(NEXT(vsprintf)(to, format, list));
  return printing.into(to, kNoLimit, result);
}
INTERPOSE(int, __snprintf_chk, (char *to, size_t most, int flag, size_t room, const char *format, ...)) {
  WITH_LIST(NEXT(__vsnprintf_chk)(to, most, flag, room, format, list));
  return printing.into(to, most, result);
}
INTERPOSE(int, __sprintf_chk, (char *to, int flag, size_t room, const char *format, ...)) {
  WITH_LIST(NEXT(__vsprintf_chk)(to, flag, room, format, list));
  return printing.into(to, kNoLimit, result);
}
INTERPOSE(int, printf, (const char *format, ...)) {
  WITH_LIST(NEXT(vprintf)(format, list));
  return result;
}
INTERPOSE(int, fprintf, (FILE * file, const char *format, ...)) {
  WITH_LIST(NEXT(vfprintf)(file, format, list));
  return result;
}
INTERPOSE(int, __printf_chk, (int flag, const char *format, ...)) {
  WITH_LIST(NEXT(__vprintf_chk)(flag, format, list));
  return result;
}
INTERPOSE(int, __fprintf_chk, (FILE * file, int flag, const char *format, ...)) {
  WITH_LIST(NEXT(__vfprintf_chk)(file, flag, format, list));
  return result;
}

#pragma clang attribute pop

INTERPOSE(char *, fgets, (char *to, int room, FILE *file)) {
  char *const result = NEXT(fgets)(to, room, file);
  if (result && room > 0) tellLine(to, static_cast<U64>(room), lengthOf(to, static_cast<U64>(room)), CALLER);
  return result;
}
// glibc's own returns a text that it has, or `to`.
INTERPOSE(char *, strerror_r, (int error, char *to, size_t room)) {
  char *const result = NEXT(strerror_r)(error, to, room);
  if (result == to) tellLine(to, room, lengthOf(to, room), CALLER);
  return result;
}
INTERPOSE(int, __xpg_strerror_r, (int error, char *to, size_t room)) {
  const int result = NEXT(__xpg_strerror_r)(error, to, room);
  if (result == 0) tellLine(to, room, lengthOf(to, room), CALLER);
  return result;
}

} // namespace deadheat::runtime
