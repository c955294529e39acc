// What DEADHEAT_OPTIONS asks for, from abi/flags.def.
//
// Claim   parseFlags accepts any text: a key it does not know or a value it cannot use is told and passed over. The deadheat
//         process asks it beforehand, so that a mistake is told before the program starts.
#pragma once

#include "abi/types.h"

namespace deadheat::abi {

inline constexpr unsigned kMaxOptions = 1024; // bytes of DEADHEAT_OPTIONS, with the zero

enum class Sampler : U8 {
#define SAMPLER(name, text, rule, growth, oneIn, sentence) name,
#include "abi/samplers.def"
};

// Those that a comparison judges: the seven of LiteRace's Table 3.
inline constexpr U32 kCompared = static_cast<U32>(Sampler::Compare) - static_cast<U32>(Sampler::ThreadAdaptive);
static_assert(kCompared == 7);
inline constexpr U32 samplerBit(Sampler sampler) {
  return 1u << (static_cast<U32>(sampler) - static_cast<U32>(Sampler::ThreadAdaptive));
}

using Switch = bool;
using Number = U32;

struct Text {
  char bytes[kMaxOptions];
};

struct Flags {
#define FLAG(type, name, fallback, sentence) type name = {fallback};
#include "abi/flags.def"
};

// A part of the options: begin .. end - 1.
struct Slice {
  const char *begin;
  const char *end;
};

enum class FlagProblem : U8 { UnknownKey, BadValue };

// Told once for each part that could not be used.
using ComplainFunction = void (*)(FlagProblem, Slice part);

inline bool equals(Slice part, const char *text) {
  const char *at = part.begin;
  for (; at != part.end && *text != 0 && *at == *text; ++at) ++text;
  return at == part.end && *text == 0;
}

inline bool parseValue(Slice value, Text &to) {
  unsigned length = 0;
  for (const char *at = value.begin; at != value.end; ++at)
    if (length + 1 < sizeof(to.bytes)) to.bytes[length++] = *at;
  to.bytes[length] = 0;
  return true;
}

inline bool parseValue(Slice value, Switch &to) {
  to = equals(value, "1");
  return to || equals(value, "0");
}

inline bool parseValue(Slice value, Number &to) {
  constexpr Number kMost = 1000000000;
  Number number = 0;
  for (const char *at = value.begin; at != value.end; ++at) {
    if (*at < '0' || *at > '9' || number >= kMost / 10) return false;
    number = number * 10 + static_cast<Number>(*at - '0');
  }
  if (value.begin == value.end) return false;
  to = number;
  return true;
}

inline bool parseValue(Slice value, Sampler &to) {
#define SAMPLER(name, text, rule, growth, oneIn, sentence)                                                             \
  if (equals(value, text)) return to = Sampler::name, true;
#include "abi/samplers.def"
  return false;
}

inline const char *find(Slice part, char wanted) {
  const char *at = part.begin;
  while (at != part.end && *at != wanted) ++at;
  return at;
}

inline void parsePart(Slice part, Flags &flags, ComplainFunction complain) {
  const char *equal = find(part, '=');
  const Slice key{part.begin, equal};
  const Slice value{equal == part.end ? equal : equal + 1, part.end};
#define FLAG(type, name, fallback, sentence)                                                                           \
  if (equals(key, #name)) {                                                                                            \
    if (!parseValue(value, flags.name)) complain(FlagProblem::BadValue, part);                                         \
    return;                                                                                                            \
  }
#include "abi/flags.def"
  complain(FlagProblem::UnknownKey, key);
}

// `flags` must hold its defaults.
inline void parseFlags(const char *options, Flags &flags, ComplainFunction complain) {
  const char *end = options;
  while (*end != 0) ++end;
  for (const char *at = options; at != end;) {
    const char *colon = find({at, end}, ':');
    if (colon != at) parsePart({at, colon}, flags, complain);
    at = colon == end ? end : colon + 1;
  }
}

// Each line of help=1, in the order of abi/flags.def.
inline void describeFlags(void (*line)(const char *name, const char *sentence)) {
#define FLAG(type, name, fallback, sentence) line(#name, sentence);
#include "abi/flags.def"
}

} // namespace deadheat::abi
