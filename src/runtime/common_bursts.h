// Bursts that all threads begin together.
//
// A race needs both its sides told, with nothing in between that orders them. Where each thread pauses for itself, a side that is
// cold is told and meets hot ones that are not; two hot ones, each told once in a thousand calls, are both told once in a million times.
// So now and then all threads tell whatever they call, for a short while: after a cold call, of which others
// may be the hot side, or when it is time. A quarter of what is allowed is kept for cold calls.
//
// Claim   The work of such bursts, told accesses and those that are passed over one by one, takes no more than one part in `common` of the threads' time, reckoned by kCyclesPerWork, and
//         at the beginning kEarlyWork, of which no more than one part in kEarlyShare; but for the burst under way.
// Assumes a thread soon ends a part of one of its pauses: that is where it learns of a burst.
// Differs from LiteRace, whose bursts know nothing of each other; common=0 is its way.
// Cost    A look at the processor's clock where a part of a pause ends. Calls that are passed over pay nothing: in a burst the thread looks at other pauses, which are all over.
// Misses  Ranges and calls of library functions count as one access each.
#pragma once

#include "runtime/sampler.h"

namespace deadheat::runtime {

// For the thread-local adaptive sampler, at a call that is not passed over and now and then at others. `cold`: the call is one of the first of
// its function in this thread.
void followCommonBursts(Thread &self, bool cold);

// Whether one was begun that it has not heard of.
inline bool missesCommonBurst(const Thread &self) {
  return context.flags.common != 0 && abi::loadRelaxed(context.page->commonBursts) != self.commonBurst;
}

void leaveCommonBurst(Thread &self);

// Whether what comes next is told since the thread takes part in a burst; it leaves one that lasted long enough.
[[gnu::always_inline]] inline bool worksTogether(Thread &self) {
  if (!self.together) [[likely]]
    return false;
  if (--self.commonLeft >= 0) return true;
  leaveCommonBurst(self);
  return false;
}

inline constexpr U64 kPassedPerWord = 4; // accesses that are passed over one by one, in the time that telling one takes

// Of the call that was taken last.
inline void noteBurst(Thread &self, Burst burst) {
  if (self.depth != 0) self.own->bursts[self.depth - 1] = burst;
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

// A function that is told since all are does not work in its own burst.
inline void addWork(Thread &self, U32 work) {
  SampleState *both = topStates(self);
  if (!both) return;
  if (self.own->bursts[self.depth - 1] == Burst::Common) {
    self.commonLeft -= work;
    return;
  }
  both[0].work += work;
  both[stateStride()].work += work;
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
