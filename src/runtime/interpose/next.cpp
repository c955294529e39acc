#include "runtime/interpose/next.h"

#include "runtime/symbols_behind.h"

namespace deadheat::runtime {

constinit void *nextFunctions[kSymbols] = {};
constinit bool hasOwnOperators = false;

namespace {

constexpr const char *kNames[] = {
#define INTERPOSED(name) #name,
#define CALLED(name) #name,
#include "runtime/interpose/interposed.def"
};

} // namespace

void findNextFunctions() {
  findBehind(reinterpret_cast<const void *>(&findNextFunctions), kNames, nextFunctions, kSymbols);
  const void *const operators = knownFunction(Symbol::_Znwm);
  if (operators && isOneObject(operators, knownFunction(Symbol::malloc)))
    __atomic_store_n(&hasOwnOperators, true, __ATOMIC_RELAXED);
}

} // namespace deadheat::runtime
