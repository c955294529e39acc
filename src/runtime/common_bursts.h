// Bursts that all threads begin together.
//
// A race needs both its sides told, with nothing in between that orders them. Where each thread pauses for itself, a side that is
// cold is told and meets hot ones that are not; two hot ones, each told once in a thousand calls, are both told once in a million times.
// So now and then all functions of all threads are taken anew, for one burst each: after a cold call, of which others
// may be the hot side, or when it is time.
//
// Claim   Calls that are taken so are no more than one in `common` of those that pauses passed over, but for the burst under way.
// Assumes a thread soon ends one of its pauses: that is where it learns of a burst.
// Differs from LiteRace, whose bursts know nothing of each other; common=0 is its way.
// Cost    A walk over the thread's pauses for each such burst.
#pragma once

#include "runtime/sampler.h"

namespace deadheat::runtime {

// For the thread-local adaptive sampler, where one of the thread's pauses is over; `passed`: calls that it had, 0: it was cut short.
// `cold`: the call is one of the first of its function in this thread.
void followCommonBursts(Thread &self, U64 passed, bool cold);

} // namespace deadheat::runtime
