// Which calls run told: the samplers of LiteRace (Table 3 there), by function.
//
// Claim   A bursty sampler takes `burst` consecutive calls, then pauses so that the share of taken calls is the rate of
//         its level. Adaptive ones begin at 100 % and go down a level after each burst, to a floor. Thread-local ones
//         count for each thread, global ones for all threads of a process.
// Cost    A call that is not taken: some fifteen instructions and a count in the thread's own memory.
//
// Different from the paper: back edges are asked too, with counts of their own and bursts ten times as long, so that a
// function that runs for hours is sampled as well. A burst of a thread-local sampler ends early where its own calls tell much or pass
// over much: a few calls of one long function would cost more than all that follows. burst_words=0 is the paper's way. Threads begin
// some bursts together (common_bursts.h), and of accesses that meet nobody few are told (meetings.h).
#pragma once

#include "abi/table.h"
#include "runtime/context.h"

namespace deadheat::runtime {

using abi::kUnstretched;

struct Schedule {
  U32 growth; // of `one in N` from burst to burst; 0: it is `oneIn` at once
  U32 oneIn;
  U32 burst;
  U32 stretch; // of the pauses, in sixteenths
  U32 words;   // of work that end a burst early; 0: none do
};

// Whether this call is taken.
bool takeNext(SampleState &state, const Schedule &schedule);

// Two of everything: calls and back edges.
enum class Edge : U8 { Call, Back };

inline constexpr U32 kBackEdgesPerCall = 10; // a burst of back edges is so many times as long
inline constexpr U32 kBorrowed = 1u << 31;   // pauses from here on are over: none is so long

// Two samplers count in a thread and one passes over its first calls; a comparison has them all, the adaptive one first.
inline constexpr U64 kComparedPerThread = 3;

// How one sampler answers the two hooks that ask.
struct SamplerHooks {
  decltype(abi::HookTable::enter) enter;
  decltype(abi::HookTable::loop) loop;
};

SamplerHooks samplerHooks(abi::Sampler sampler);

// Whether accesses are passed over in told calls: those of a loop that has no door would be told for as long as it runs.
bool passesOverAccesses();

// The state of an access in the call that runs, of which a hook's own return address lies `here`; and whether this execution is taken. Room for the states of the
// object's accesses is made by prepareSites.
SampleState &siteState(Thread &self, U64 slot, U64 here);
bool takeSite(Thread &self, SampleState &state);
bool prepareSites(Thread &self, const Range &accesses);

// Where the thread's last access and call lay. A handler may come between a hook's look for that and its use, and have others in a library
// of its own: what it interrupted is put back.
struct Near {
  Range accesses;
  Range functions;
  SampleState *sites;
  U64 epoch;
};

Near nearOf(const Thread &self);
void putBack(Thread &self, const Near &interrupted);

// The state of a place that calls library functions.
[[gnu::always_inline]] inline SampleState &callState(Private &own, U64 returns) {
  return own.calls[returns * 0x9e3779b97f4a7c15 >> (64 - kCallBits)];
}

// From now on each call and back edge of the thread asks, or those alone whose pause is over. False: there is no memory for it.
bool askAlways(Thread &self, bool always);

// Whether this execution of an atomic access is taken, in whatever body it is.
bool takeExecution(Thread &self, U64 slot);

// Whether this call of a library function is passed over, by the place that calls; a place that was never asked about has no pause. For
// the many calls that cost little themselves, as of memcmp.
[[gnu::always_inline]] inline bool passesOverCall(Thread &self, U64 returns) {
  if (!self.own || self.together) return false;
  U32 &pause = callState(*self.own, returns).pause;
  if (pause == 0) return false;
  --pause;
  return true;
}

// Whether it is taken, as if the place were a function of its own.
bool takeCall(Thread &self, U64 returns);

// Whether this way to take a lock under others is taken, by the place that takes it.
bool takeNesting(Thread &self, U64 returns);

U32 nextRandom(Thread &self);

// What a sampled run tells of a long range, as tell(address, bytes): its beginning, and a part anywhere in the rest. The detector's work
// grows with each byte: in zstd three ranges that are set to zero cost more than all accesses.
inline constexpr U64 kLongRange = 1 << 16;

template <typename Tell> void tellParts(Thread &self, U64 address, U64 bytes, bool whole, Tell tell) {
  if (whole || bytes <= kLongRange) return tell(address, bytes);
  const U64 rest = bytes - kLongRange / 2;
  tell(address, kLongRange / 2);
  tell(address + kLongRange / 2 + nextRandom(self) % (rest - kLongRange / 2 + 1) / 8 * 8, kLongRange / 2);
}

// In a comparison: asks all samplers, and enters the call as told. False: it cannot be told.
bool takeCompared(Thread &self, Edge edge, U64 slot, const void *returnSlot, U32 &samplers);

// Gives back what the samplers counted for a thread, which asks no more.
void closeStates(Thread &self);

// Memory for the samplers that are global; false: there is none.
bool prepareSampler(Context &context);

} // namespace deadheat::runtime
