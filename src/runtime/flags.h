// What DEADHEAT_OPTIONS asks for, from abi/flags.def.
//
// Claim   parseFlags accepts any text: a key it does not know or a value it cannot use is told and passed over.
#pragma once

#include "abi/types.h"

namespace deadheat::runtime {

inline constexpr unsigned kMaxOptions = 1024; // bytes of DEADHEAT_OPTIONS, with the zero

enum class Bodies : abi::U8 { All, None, Flip };

using Switch = bool;

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

enum class FlagProblem : abi::U8 { UnknownKey, BadValue };

// Told once for each part that could not be used.
using ComplainFunction = void (*)(FlagProblem, Slice part);

// `flags` must hold its defaults.
void parseFlags(const char *options, Flags &flags, ComplainFunction complain);

// Each line of help=1, in the order of abi/flags.def.
void describeFlags(void (*line)(const char *name, const char *sentence));

} // namespace deadheat::runtime
