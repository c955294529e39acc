// The texts that a format of printf's names (%s), one after the other.
//
// Claim   Nothing is read but what printf reads: no text behind its end or its precision, nothing of a format that is null.
// Assumes the arguments are those that the format asks for, as printf does.
// Misses  wide texts; all that follows an argument that is named by its number (%2$s), or a conversion that is not C's.
#pragma once

#include <stdarg.h>

#include "runtime/texts.h"

namespace deadheat::runtime {

// Floating-point arguments are passed over where they lie: in vector registers, which the rest of the runtime leaves alone.
#define DEADHEAT_VECTORS __attribute__((target("sse2")))

struct PrintedText {
  const char *begin;
  U64 bytes; // with its end, if that is looked at
};

class PrintedTexts {
public:
  PrintedTexts(const char *format, va_list list) : at_(format ? format : "") { va_copy(list_, list); }
  PrintedTexts(const PrintedTexts &) = delete;
  ~PrintedTexts() { va_end(list_); }

  // False: there are no more.
  DEADHEAT_VECTORS bool next(PrintedText &text) {
    while (toConversion()) {
      const U64 most = takeSizes();
      const Width width = takeWidth();
      const char letter = *at_;
      if (letter == 0 || !isConversion(letter)) return false;
      ++at_;
      if (letter == 's' || letter == 'p' || letter == 'n') {
        const char *const argument = va_arg(list_, const char *);
        if (letter != 's' || width != Width::Int || !argument) continue;
        text = {argument, bytesOf(argument, most)};
        return true;
      }
      passOver(letter, width);
    }
    return false;
  }

private:
  enum class Width { Int, Long, LongDouble };

  static bool isOneOf(char letter, const char *letters) {
    while (*letters != 0 && *letters != letter) ++letters;
    return *letters != 0 && letter != 0;
  }
  static bool isConversion(char letter) { return isOneOf(letter, "diouxXcaAeEfFgGspnm"); }

  bool toConversion() {
    for (;;) {
      while (*at_ != 0 && *at_ != '%') ++at_;
      if (*at_ == 0) return false;
      if (*++at_ != '%') return true;
      ++at_;
    }
  }

  // Flags, width and precision. Returns how much of a text is printed at most.
  DEADHEAT_VECTORS U64 takeSizes() {
    U64 most = kNoLimit;
    bool isPrecision = false;
    for (; isOneOf(*at_, "-+ #0'I123456789.*"); ++at_) {
      if (*at_ == '.') {
        isPrecision = true;
        most = 0;
      } else if (*at_ == '*') {
        const int told = va_arg(list_, int);
        if (isPrecision) most = told < 0 ? kNoLimit : static_cast<U64>(told);
      } else if (isPrecision && *at_ >= '0' && *at_ <= '9') {
        most = most * 10 + static_cast<U64>(*at_ - '0');
      }
    }
    return most;
  }

  Width takeWidth() {
    Width width = Width::Int;
    for (; isOneOf(*at_, "hljztqL"); ++at_)
      if (*at_ != 'h') width = *at_ == 'L' ? Width::LongDouble : Width::Long;
    return width;
  }

  DEADHEAT_VECTORS void passOver(char letter, Width width) {
    if (letter == 'm') return;
    if (!isOneOf(letter, "aAeEfFgG"))
      width == Width::Int ? void(va_arg(list_, int)) : void(va_arg(list_, long));
    else if (width == Width::LongDouble)
      passOverLongDouble();
    else
      void(va_arg(list_, double));
  }

  // In memory, at a multiple of its size.
  void passOverLongDouble() {
    constexpr U64 kBytes = 16;
    const U64 area = reinterpret_cast<U64>(list_->overflow_arg_area);
    list_->overflow_arg_area = reinterpret_cast<void *>((area + kBytes - 1) / kBytes * kBytes + kBytes);
  }

  const char *at_;
  va_list list_;
};

} // namespace deadheat::runtime
