// What the thread asked to be left out does not concern a handler that interrupts it.
#pragma once

#include "runtime/interpose/interpose.h"

namespace deadheat::runtime {

// Returns what there was.
Ignored ignoreNothing(const Caller &caller);

void ignoreAgain(const Ignored &before, const Caller &caller);

} // namespace deadheat::runtime
