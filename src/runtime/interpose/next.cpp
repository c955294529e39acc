#include "runtime/interpose/next.h"

#include "runtime/symbols_behind.h"

namespace deadheat::runtime {

constinit void *nextFunctions[kSymbols] = {};

namespace {

constexpr const char *kNames[] = {
#define INTERPOSED(name) #name,
#define CALLED(name) #name,
#include "runtime/interpose/interposed.def"
};

} // namespace

void findNextFunctions() {
  findBehind(reinterpret_cast<const void *>(&findNextFunctions), kNames, nextFunctions, kSymbols);
}

} // namespace deadheat::runtime
