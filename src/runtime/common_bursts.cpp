#include "runtime/common_bursts.h"

#include "runtime/cost.h"

namespace deadheat::runtime {
namespace {

// Without a cold call a burst waits until so many times as much was passed over.
constexpr U64 kPatience = 4;

// What a run may do so at its beginning, though it has not taken long yet: some hundredths of a second of all that watches.
constexpr U64 kEarlyWork = 200000;
constexpr U64 kEarlyShare = 4;

constexpr U64 kCyclesPerWork = 32;
constexpr U64 kLongestPause = 3000000; // cycles; more is waiting
constexpr U64 kAccessesPerWork = 8;    // of a program that nobody watches
constexpr U64 kPlacesPerWork = 16;     // of the walk

// The state of the thread's adaptive sampler for this place in its pauses.
struct Place {
  SampleState &state;
  U32 *pause; // null: it is in the state
};

template <typename Visit> void eachPlace(Thread &self, Visit visit) {
  const bool compares = context.flags.sampler == abi::Sampler::Compare;
  const U64 stride = compares ? kComparedPerThread : 1;
  for (U64 at = 0; at * stride < self.sampleCount; ++at)
    visit(Place{self.samples[at * stride], compares ? nullptr : self.pauses + at});
  for (SampleState &call : self.own->calls) visit(Place{call, nullptr});
}

// Pauses that code of the executable has counted past zero are over (abi/near.h).
bool isPausing(const Place &place) { return (place.pause ? *place.pause : place.state.pause) - 1 < kBorrowed - 1; }

void takePart(Thread &self, U32 burst) {
  self.commonBurst = burst;
  self.commonWork += self.sampleCount / kPlacesPerWork;
  eachPlace(self, [](const Place &place) {
    if (!isPausing(place) || place.state.isLong) return;
    place.state.pause = 0;
    place.state.common = 1;
    if (place.pause) *place.pause = 0;
  });
}

U64 allowedWork() {
  const U64 elapsed = abi::loadRelaxed(context.page->elapsed);
  const U64 early = elapsed / kEarlyShare;
  return (early < kEarlyWork ? early : kEarlyWork) + elapsed / context.flags.common;
}

bool isTime(bool cold) {
  const ProcessPage &page = *context.page;
  const U64 stretch = abi::loadRelaxed(context.arena->header.stretch);
  if (stretch == abi::kNothingTaken || abi::loadRelaxed(page.threads) < 2) return false;
  return abi::loadRelaxed(page.commonWork) * (cold ? 1 : kPatience) < allowedWork() * kUnstretched / stretch;
}

} // namespace

void followCommonBursts(Thread &self, U64 elapsed, bool cold) {
  if (context.flags.common == 0) return;
  ProcessPage &page = *context.page;
  if (elapsed != 0) abi::fetchAdd(page.elapsed, elapsed);
  if (self.commonWork != 0) abi::fetchAdd(page.commonWork, self.commonWork);
  self.commonWork = 0;
  if (isTime(cold)) abi::fetchAdd(page.commonBursts, 1u);
  const U32 burst = abi::loadRelaxed(page.commonBursts);
  if (burst != self.commonBurst) takePart(self, burst);
}

U64 timeSince(Thread &self) {
  const U64 now = cyclesNow(), span = now - self.pauseEnded;
  self.pauseEnded = now;
  return (span < kLongestPause ? span : kLongestPause) / kCyclesPerWork;
}

U64 takeExecuted(Thread &self) {
  const U64 executed = self.executed;
  self.executed = 0;
  return executed / kAccessesPerWork;
}

} // namespace deadheat::runtime
