// Memory that changes hands: an address has a history from an allocation to a release.
#pragma once

#include "runtime/interpose/interpose.h"

namespace deadheat::runtime {

void tellAllocated(U64 address, U64 bytes, const Caller &caller);
void tellFreed(U64 address, const Caller &caller);

// Of a block that the allocator gave out, or null, which it returns; and of one that it will be given back.
void *allocated(void *memory, U64 bytes, const Caller &caller);
void tellGivenBack(void *memory, const Caller &caller);

} // namespace deadheat::runtime
