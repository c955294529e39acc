// Bursts that all threads begin together.
//
// A race needs both its sides told, with nothing in between that orders them. Where each thread pauses for itself, a side that is
// cold is told and meets hot ones that are not; two hot ones, each told once in a thousand calls, are both told once in a million times.
// So now and then all functions of all threads are taken anew, for one short burst each: after a cold call, of which others
// may be the hot side, or when it is time. Either reason has half of what is allowed.
//
// Claim   The work of such bursts, told accesses and those that are passed over one by one, takes no more than one part in `common` of the threads' time, reckoned by kCyclesPerWork, and
//         kEarlyWork before, of which one part in kEarlyShare; but for the burst under way.
// Assumes a thread soon ends a part of one of its pauses: that is where it learns of a burst.
// Differs from LiteRace, whose bursts know nothing of each other; common=0 is its way.
// Cost    A look at the processor's clock where a pause ends; a walk over the thread's pauses for each such burst, which counts as work.
// Misses  Ranges and calls of library functions are not counted.
#pragma once

#include "runtime/sampler.h"

namespace deadheat::runtime {

// For the thread-local adaptive sampler, at a call that is not passed over and now and then at others. `cold`: the call is one of the first of
// its function in this thread.
void followCommonBursts(Thread &self, bool cold);

inline constexpr U64 kPassedPerWord = 4; // accesses that are passed over one by one, in the time that telling one takes

// Of the call that was taken last.
inline void noteBurst(Thread &self, bool common) {
  if (self.depth != 0) self.own->common[self.depth - 1] = common;
  self.passedBefore = self.passedOver;
}

// Of the adaptive sampler, from one of its states to the next.
inline U64 stateStride() { return context.flags.sampler == abi::Sampler::Compare ? kComparedPerThread : 1; }

// The states of the function whose call runs, of calls and of back edges; null: it is not known. As far as the frames are dropped of calls
// that have returned.
inline SampleState *topStates(Thread &self) {
  if (self.depth == 0 || !self.samples) return nullptr;
  return self.samples + stateStride() * 2 * static_cast<U64>(self.own->frames[self.depth - 1].function);
}

inline void addWork(Thread &self, U32 work) {
  SampleState *both = topStates(self);
  if (!both) return;
  both[0].work += work;
  both[stateStride()].work += work;
  if (self.own->common[self.depth - 1]) self.commonWork += work;
}

// In a comparison, of the fixed sampler.
inline void addFixedWork(Thread &self) {
  if (SampleState *both = topStates(self)) ++both[1].work, ++both[stateStride() + 1].work;
}

// An access is told. What was passed over since the last one was, was mostly in the same call.
inline void countWork(Thread &self) {
  addWork(self, static_cast<U32>(1 + (self.passedOver - self.passedBefore) / kPassedPerWord));
  self.passedBefore = self.passedOver;
}

} // namespace deadheat::runtime
