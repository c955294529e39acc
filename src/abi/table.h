// The table through which instrumented code reaches the runtime. One hidden copy per executable or shared library, all
// zero and so inert until the runtime fills it: `active` is stored last.
//
// Hooks use the preserve_most convention, so that a call costs its caller no spilled registers.
#pragma once

#include "abi/types.h"

namespace deadheat::abi {

struct HookTable {
  U8 active;
  U8 reserved[7];
#define HOOK(name, result, parameters) result(__attribute__((preserve_most)) * name) parameters;
#include "abi/hooks.def"
};

inline constexpr U32 kAbiVersion = 1;

} // namespace deadheat::abi
