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

// Until the letter is found.
inline U64 searchedBytes(const char *text, char letter) {
  U64 bytes = 0;
  while (text[bytes] != letter && text[bytes] != 0) ++bytes;
  return bytes + 1;
}

inline U64 searchedBytes(const void *memory, int byte, U64 most) {
  const auto *const all = static_cast<const unsigned char *>(memory);
  U64 bytes = 0;
  while (bytes != most && all[bytes] != static_cast<unsigned char>(byte)) ++bytes;
  return bytes == most ? most : bytes + 1;
}

// Of those letters alone, or up to the first of them, and what comes after.
inline U64 spannedBytes(const char *text, const char *letters, bool isOfThem) {
  const auto has = [letters](char letter) {
    for (const char *at = letters; *at != 0; ++at)
      if (*at == letter) return true;
    return false;
  };
  U64 bytes = 0;
  while (text[bytes] != 0 && has(text[bytes]) == isOfThem) ++bytes;
  return bytes + 1;
}

// A number in digits up to 9, and what ends it. Letters of larger bases are not counted.
inline U64 numberBytes(const char *text, int base = 10) {
  U64 bytes = 0;
  while (text[bytes] == ' ' || (text[bytes] >= '\t' && text[bytes] <= '\r')) ++bytes;
  if (text[bytes] == '-' || text[bytes] == '+') ++bytes;
  if (base == 0 && text[bytes] == '0') base = 8;
  const char most = base > 1 && base < 10 ? static_cast<char>('0' + base - 1) : '9';
  while (text[bytes] >= '0' && text[bytes] <= most) ++bytes;
  return bytes + 1;
}

} // namespace deadheat::runtime
