#include "runtime/common_bursts.h"

namespace deadheat::runtime {
namespace {

// Without a cold call a burst waits until so many times as much was passed over.
constexpr U64 kPatience = 4;

// The state of the thread's adaptive sampler for this place in its pauses, and how many calls a burst of it has.
struct Place {
  SampleState &state;
  U32 *pause; // null: it is in the state
  U64 burst;
};

template <typename Visit> void eachPlace(Thread &self, Visit visit) {
  const bool compares = context.flags.sampler == abi::Sampler::Compare;
  const U64 stride = compares ? kComparedPerThread : 1;
  for (U64 at = 0; at * stride < self.sampleCount; ++at)
    visit(Place{self.samples[at * stride], compares ? nullptr : self.pauses + at,
                at % 2 == 0 ? context.flags.burst : U64(context.flags.burst) * kBackEdgesPerCall});
}

// Pauses that code of the executable has counted past zero are over (abi/near.h).
bool isPausing(const Place &place) { return (place.pause ? *place.pause : place.state.pause) - 1 < kBorrowed - 1; }

void takePart(Thread &self, U32 burst) {
  self.commonBurst = burst;
  U64 calls = 0;
  eachPlace(self, [&](const Place &place) {
    if (!isPausing(place)) return;
    place.state.pause = 0;
    if (place.pause) *place.pause = 0;
    calls += place.burst;
  });
  abi::fetchAdd(context.page->commonCalls, calls);
}

bool isTime(bool cold) {
  const ProcessPage &page = *context.page;
  const U64 stretch = abi::loadRelaxed(context.arena->header.stretch);
  if (stretch == abi::kNothingTaken) return false;
  const U64 allowed = abi::loadRelaxed(page.passedCalls) / context.flags.common * kUnstretched / stretch;
  return abi::loadRelaxed(page.commonCalls) * (cold ? 1 : kPatience) < allowed;
}

} // namespace

void followCommonBursts(Thread &self, U64 passed, bool cold) {
  if (context.flags.common == 0) return;
  ProcessPage &page = *context.page;
  if (passed != 0) abi::fetchAdd(page.passedCalls, passed);
  if (isTime(cold)) abi::fetchAdd(page.commonBursts, 1u);
  const U32 burst = abi::loadRelaxed(page.commonBursts);
  if (burst != self.commonBurst) takePart(self, burst);
}

} // namespace deadheat::runtime
