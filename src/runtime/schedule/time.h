// Sleeps in the scheduler's time.
#pragma once

#include "runtime/schedule/director.h"

namespace deadheat::runtime::schedule {

// Stands before the sleep, then until so much time has passed. `place` is the return address of the interposed function.
void sleepFor(Task &task, U64 nanoseconds, const void *place);

} // namespace deadheat::runtime::schedule
