#include "runtime/common_bursts.h"

#include "runtime/cost.h"

namespace deadheat::runtime {
namespace {

// Why a burst was begun. Either kind has half of what is allowed.
enum class Reason : U32 { Cold, Time };

// What a run may do so at its beginning, though it has not taken long yet: some hundredths of a second of all that watches.
constexpr U64 kEarlyWork = 300000;
constexpr U64 kEarlyShare = 2;

constexpr U64 kCyclesPerWork = 128;
constexpr U64 kLongestPause = 250000; // cycles; more is waiting
constexpr U64 kCyclesPerAccess = 4;   // of a program that nobody watches
constexpr U64 kQuiet = 4000;          // work that could have been done without a cold call
constexpr U64 kPlacesPerWork = 16;    // of the walk

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
  self.commonReason = abi::loadRelaxed(context.page->commonReason);
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

bool isTime(Reason reason) {
  const ProcessPage &page = *context.page;
  const U64 stretch = abi::loadRelaxed(context.arena->header.stretch);
  if (stretch == abi::kNothingTaken || abi::loadRelaxed(page.threads) < 2) return false;
  return abi::loadRelaxed(page.commonWork[static_cast<U32>(reason)]) < allowedWork() / 2 * kUnstretched / stretch;
}

// By the processor's clock; where all takes longer, by what the thread has executed.
U64 clockOf(const Thread &self) {
  return context.flags.sampler == abi::Sampler::Compare ? self.executed * kCyclesPerAccess : cyclesNow();
}

void countTime(Thread &self) {
  const U64 now = clockOf(self), span = now - self.lastCounted;
  self.lastCounted = now;
  abi::fetchAdd(context.page->elapsed, (span < kLongestPause ? span : kLongestPause) / kCyclesPerWork);
  if (self.commonWork != 0) abi::fetchAdd(context.page->commonWork[self.commonReason], self.commonWork);
  self.commonWork = 0;
}

// Whether it is the first one for a while, by the time of all threads, as this one may have waited: those that follow each other closely, as where a thread begins, count as one.
bool isFirstOfSeveral(Thread &self) {
  const U64 now = abi::loadRelaxed(context.page->elapsed), before = self.lastCold;
  self.lastCold = now;
  return now - before > kQuiet;
}

void begin(Thread &self, Reason reason) {
  abi::storeRelaxed(context.page->commonReason, static_cast<U32>(reason));
  const U32 burst = abi::fetchAdd(context.page->commonBursts, 1u) + 1;
  if (reason == Reason::Time) takePart(self, burst);
  self.commonBurst = burst; // a cold call is told already, and its hot sides are others'
}

} // namespace

void followCommonBursts(Thread &self, bool cold) {
  if (context.flags.common == 0) return;
  if (!cold) countTime(self);
  const U32 burst = abi::loadRelaxed(context.page->commonBursts);
  if (self.lastCounted == 0) self.commonBurst = burst; // no pause of it is over yet, so all that it calls is told
  if (burst != self.commonBurst) takePart(self, burst);
  if (cold && isFirstOfSeveral(self) && isTime(Reason::Cold)) begin(self, Reason::Cold);
  if (!cold && isTime(Reason::Time)) begin(self, Reason::Time);
}

} // namespace deadheat::runtime
