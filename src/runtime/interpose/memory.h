// Memory that changes hands: an address has a history from an allocation to a release.
#pragma once

#include "runtime/interpose/interpose.h"

namespace deadheat::runtime {

void tellAllocated(U64 address, U64 bytes, const Caller &caller);
void tellFreed(U64 address, const Caller &caller);

} // namespace deadheat::runtime
