// Bursts that all threads begin together.
//
// A race needs both its sides told, with nothing in between that orders them. Where each thread pauses for itself, a side that is
// cold is told and meets hot ones that are not; two hot ones, each told once in a thousand calls, are both told once in a million times.
// So now and then all functions of all threads are taken anew, for one short burst each: after a cold call, of which others
// may be the hot side, or when it is time.
//
// Claim   The work of such bursts (workOf) takes no more than one part in `common` of the threads' time, reckoned by kCyclesPerWork, and
//         kEarlyWork before, of which one part in kEarlyShare; but for the burst under way.
// Assumes a thread soon ends one of its pauses: that is where it learns of a burst.
// Differs from LiteRace, whose bursts know nothing of each other; common=0 is its way.
// Cost    A look at the processor's clock where a pause ends; a walk over the thread's pauses for each such burst, which counts as work.
// Misses  Ranges and calls of library functions are not counted.
#pragma once

#include "runtime/sampler.h"

namespace deadheat::runtime {

// For the thread-local adaptive sampler, at a call that is not passed over. `elapsed`: time of the thread since it was last asked about, as
// the work that could be done in it. `cold`: the call is one of the first of its function in this thread.
void followCommonBursts(Thread &self, U64 elapsed, bool cold);

// The time since one of the thread's pauses last ended, without what it may have been waiting.
U64 timeSince(Thread &self);

// Likewise in a comparison, where all takes longer: by the accesses that it has executed.
U64 takeExecuted(Thread &self);

inline constexpr U64 kPassedPerWord = 4; // accesses that are passed over one by one, in the time that telling one takes

// Of the call that was taken last.
inline void noteBurst(Thread &self, bool common) {
  if (self.depth != 0) self.own->common[self.depth - 1] = common;
  self.passedBefore = self.passedOver;
}

// As far as the frames are dropped of calls that have returned.
inline bool isInCommonBurst(const Thread &self) { return self.depth != 0 && self.own->common[self.depth - 1]; }

// An access is told. What was passed over since the last one was, was mostly in the same call.
inline void countWork(Thread &self) {
  if (isInCommonBurst(self)) self.commonWork += 1 + (self.passedOver - self.passedBefore) / kPassedPerWord;
  self.passedBefore = self.passedOver;
}

} // namespace deadheat::runtime
