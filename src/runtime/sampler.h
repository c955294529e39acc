// Which calls run told: the samplers of LiteRace (Table 3 there), by function.
//
// Claim   A bursty sampler takes `burst` consecutive calls, then pauses so that the share of taken calls is the rate of
//         its level. Adaptive ones begin at 100 % and go down a level after each burst, to a floor. Thread-local ones
//         count for each thread, global ones for all threads of a process.
// Cost    A call that is not taken: some fifteen instructions and a count in the thread's own memory.
//
// Different from the paper: back edges are asked too, with counts of their own and bursts ten times as long, so that a
// function that runs for hours is sampled as well.
#pragma once

#include "abi/table.h"
#include "runtime/context.h"

namespace deadheat::runtime {

// All zero at the beginning. Global ones are changed by several threads at once: a lost count is a call more or less.
struct SampleState {
  U32 pause;      // calls to pass over
  U32 taken : 24; // of this burst
  U32 level : 8;
};
static_assert(sizeof(SampleState) == 8);

struct Schedule {
  U32 growth; // of `one in N` from burst to burst; 0: it is `oneIn` at once
  U32 oneIn;
  U32 burst;
  U32 stretch; // of the pauses, in sixteenths
};

// Whether this call is taken.
bool takeNext(SampleState &state, const Schedule &schedule);

// How one sampler answers the two hooks that ask.
struct SamplerHooks {
  decltype(abi::HookTable::enter) enter;
  decltype(abi::HookTable::loop) loop;
};

SamplerHooks samplerHooks(abi::Sampler sampler);

// Memory for the samplers that are global; false: there is none.
bool prepareSampler(Context &context);

} // namespace deadheat::runtime
