// The table through which instrumented code reaches the runtime. One hidden copy per executable or shared library, all
// zero and so inert until the runtime fills it: `active` is stored last.
//
// Hooks are defined with the preserve_most convention. A caller may rely on that, or call them like any C function: the
// plain body does the former, so that its question at entry costs no spilled registers, the told body the latter, as
// the fast instruction selector knows no other convention.
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
