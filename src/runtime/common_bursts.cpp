#include "runtime/common_bursts.h"

#include "runtime/cost.h"

namespace deadheat::runtime {
namespace {

// Why a burst was begun. A quarter of what is allowed is kept for cold calls.
enum class Reason : U32 { Cold, Time };

// Of each thread that takes part. Every second burst may be twice as long as the others, every fourth four times, and so on: each length has the
// same share. Sides that are far apart meet in long ones, and short ones come more often.
constexpr long kShortest = 1000;
constexpr U32 kLengths = 6;

// What a run may do so at its beginning, though it has not taken long yet: some hundredths of a second of all that watches.
constexpr U64 kEarlyWork = 800000;
constexpr U64 kEarlyShare = 2;

constexpr U64 kCyclesPerWork = 128;
constexpr U64 kLongestPause = 250000; // cycles; more is waiting
constexpr U64 kQuiet = 4000;          // work that could have been done without a cold call

// What a thread will do is added before it does it: others must not begin the next burst meanwhile.
void charge(long work) { abi::fetchAdd(context.page->commonWork, static_cast<U64>(work)); }

void takePart(Thread &self) {
  leaveCommonBurst(self);
  if (!askAlways(self, true)) return;
  self.commonLeft = abi::loadRelaxed(context.page->commonLength);
  charge(self.commonLeft);
}

// Much at the beginning, as short runs have no other time, and ever less later.
U64 earlyWork(U64 elapsed) { return elapsed * kEarlyWork / (elapsed + kEarlyShare * kEarlyWork); }

U64 allowedWork() {
  const U64 elapsed = abi::loadRelaxed(context.page->elapsed);
  return earlyWork(elapsed) + elapsed / context.flags.common;
}

// Work that a burst may do now; not more than 0: none.
long roomFor(Reason reason) {
  const ProcessPage &page = *context.page;
  const U64 stretch = abi::loadRelaxed(context.arena->header.stretch);
  if (stretch == abi::kNothingTaken || abi::loadRelaxed(page.threads) < 2) return 0;
  const U64 allowed = allowedWork() * kUnstretched / stretch;
  const auto worked = static_cast<long>(abi::loadRelaxed(page.commonWork)); // what was given back may be more at times
  return static_cast<long>(reason == Reason::Cold ? allowed : allowed / 4 * 3) - worked;
}

// As its turn says, and as two threads may do it.
long lengthOf(U32 burst, long room) {
  long length = kShortest << __builtin_ctz(burst | 1u << (kLengths - 1));
  while (length > kShortest && 2 * length > room) length /= 2;
  return length;
}

// By the processor's clock; where all takes longer, by what the thread has executed.
U64 clockOf(const Thread &self) {
  return context.flags.sampler == abi::Sampler::Compare ? self.executed * context.flags.access_cycles : cyclesNow();
}

void countTime(Thread &self) {
  const U64 now = clockOf(self), span = now - self.lastCounted;
  self.lastCounted = now;
  abi::fetchAdd(context.page->elapsed, (span < kLongestPause ? span : kLongestPause) / kCyclesPerWork);
}

// Whether it is the first one for a while, by the time of all threads, as this one may have waited: those that follow each other closely, as where a thread begins, count as one.
bool isFirstOfSeveral(Thread &self) {
  const U64 now = abi::loadRelaxed(context.page->elapsed), before = self.lastCold;
  self.lastCold = now;
  return now - before > kQuiet;
}

// Where there is room for one.
void begin(Thread &self, Reason reason) {
  const long room = roomFor(reason);
  if (room <= 0) return;
  ProcessPage &page = *context.page;
  abi::storeRelaxed(page.commonLength, static_cast<U32>(lengthOf(abi::loadRelaxed(page.commonBursts) + 1, room)));
  self.commonBurst = abi::fetchAdd(page.commonBursts, 1u) + 1;
  if (reason == Reason::Time) takePart(self); // a cold call is told already, and its hot sides are others'
}

} // namespace

void leaveCommonBurst(Thread &self) {
  if (!self.together) return;
  askAlways(self, false);
  charge(-self.commonLeft);
}

void followCommonBursts(Thread &self, bool cold) {
  if (context.flags.common == 0) return;
  if (!cold) countTime(self);
  const U32 burst = abi::loadRelaxed(context.page->commonBursts);
  if (self.lastCounted == 0) self.commonBurst = burst; // no pause of it is over yet, so all that it calls is told
  if (burst != self.commonBurst) {
    self.commonBurst = burst;
    takePart(self);
  }
  if (!cold)
    begin(self, Reason::Time);
  else if (isFirstOfSeveral(self))
    begin(self, Reason::Cold);
}

} // namespace deadheat::runtime
