// The functions behind the runtime's own: what a call would have reached had the runtime not been preloaded.
//
// Claim   Those of symbols_behind.h. Known before main, so that no call waits for the loader's lock later, unless it lies in a library that is
//         loaded later.
#pragma once

#include "runtime/system.h"

namespace deadheat::runtime {

enum class Symbol : U32 {
#define INTERPOSED(name) name,
#define CALLED(name) name,
#include "runtime/interpose/interposed.def"
};

inline constexpr U32 kSymbols = 0
#define INTERPOSED(name) +1
#define CALLED(name) +1
#include "runtime/interpose/interposed.def"
    ;

extern void *nextFunctions[kSymbols];

// operator new is the allocator's own, which does not come down to malloc (operators.cpp).
extern bool hasOwnOperators;

// Looks for all of them that are not known.
void findNextFunctions();

// Null: not found yet.
inline void *knownFunction(Symbol symbol) {
  return __atomic_load_n(&nextFunctions[static_cast<U32>(symbol)], __ATOMIC_RELAXED);
}

inline void *nextFunction(Symbol symbol) {
  void *const found = knownFunction(symbol);
  if (found) [[likely]]
    return found;
  findNextFunctions();
  return knownFunction(symbol);
}

} // namespace deadheat::runtime
