// What a thread told since its last release: an access told again adds nothing (hooks.h).
//
// Claim   Whoever was told is found until another one takes its place, or the thread releases something.
// Cost    A product and a look at 64 KB. Sixteen bytes for each entry, which say all, were half a megabyte for each thread, and a look at them most of
//         what telling an access took.
// Misses  An access whose signature is that of another: one in four billion that are looked up.
#pragma once

#include "runtime/context.h"

namespace deadheat::runtime {

// `when` changes with each release, and has what the word lacks.
struct Remembered {
  U32 &entry;
  const U32 signature; // not 0

  bool wasTold() const { return entry == signature; }
  void note() const { entry = signature; }
};

[[gnu::always_inline]] inline Remembered remembered(Private &own, U64 word, U64 when) {
  const unsigned __int128 product = static_cast<unsigned __int128>(word) * 0x9e3779b97f4a7c15;
  const U64 mixed = static_cast<U64>(product) ^ static_cast<U64>(product >> 64);
  const U32 signature =
      static_cast<U32>(mixed) + static_cast<U32>(when >> 32) * 0x9e3779b1u + static_cast<U32>(when) * 0x85ebca6bu;
  return {own.filter[mixed >> (64 - kFilterBits)], signature | 1};
}

} // namespace deadheat::runtime
