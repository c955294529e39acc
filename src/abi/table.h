// The table through which instrumented code reaches the runtime. One hidden copy per executable or shared library, all
// zero and so inert until the runtime fills it: `sync` and `active` are stored last.
//
// `active`: ask at entry and at doors which body shall run. `sync`: tell of atomic operations and fences also where the
// plain body runs, because the order between threads is needed whole even if accesses are sampled. Either may be
// changed at any time; a thread sees it at its next test.
//
// Hooks are defined with the preserve_most convention. A caller may rely on that, or call them like any C function: the
// plain body does the former, so that its question at entry costs no spilled registers, the told body the latter, as
// the fast instruction selector knows no other convention. Plain accesses are told like C functions from any body, if their
// slots have bytes (abi/note.h): then `read` and `write` may be C functions.
#pragma once

#include "abi/types.h"

namespace deadheat::abi {

struct HookTable {
  U8 active;
  U8 sync;
  U8 reserved[6];
#define HOOK(name, result, parameters) result(__attribute__((preserve_most)) * name) parameters;
#include "abi/hooks.def"
};

inline constexpr U32 kAbiVersion = 2;

// What atomic_end is told: order | failure order << 4 | succeeded << 8 | load << 9 | store << 10. Orders are the compiler's __ATOMIC_ constants;
// only a compare-exchange has a failure order, and only a compare-exchange may fail.
inline constexpr U32 kFailureOrderShift = 4;
inline constexpr U32 kSucceededShift = 8;
inline constexpr U32 kLoadShift = 9;
inline constexpr U32 kStoreShift = 10; // in code that was compiled before it was told, a store is taken for an update

} // namespace deadheat::abi
