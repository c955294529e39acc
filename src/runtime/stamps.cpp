#include "runtime/stamps.h"

namespace deadheat::runtime {
namespace {

constexpr int kSpins = 100;
constexpr int kYields = 200;
constexpr int kSleeps = 20000; // a thread that others keep from running may need as long
constexpr long kSleepNanoseconds = 50000;

void pauseThread(int tries) {
  const long pause[2] = {0, kSleepNanoseconds};
  if (tries < kSpins)
    __builtin_ia32_pause();
  else if (tries < kSpins + kYields)
    systemCall(__NR_sched_yield);
  else
    systemCall(__NR_nanosleep, pause, nullptr);
}

} // namespace

bool waitForOther(int tries) {
  pauseThread(tries);
  return tries != kSpins + kYields + kSleeps;
}

void enterSection(Thread &self, U64 object) {
  Counter &counter = counterOf(object);
  ++self.sections;
  if (abi::loadRelaxed(counter.holder) == self.number) {
    ++counter.depth;
    return;
  }
  for (int tries = 0;; ++tries) {
    U32 none = 0;
    if (abi::loadRelaxed(counter.holder) == 0 &&
        __atomic_compare_exchange_n(&counter.holder, &none, self.number, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
      return;
    if (!waitForOther(tries)) break;
  }
  abi::storeRelaxed(counter.holder, self.number);
}

void leaveSection(Thread &self, U64 object) {
  Counter &counter = counterOf(object);
  if (self.sections != 0) --self.sections;
  if (abi::loadRelaxed(counter.holder) != self.number) return; // taken away
  if (counter.depth != 0)
    --counter.depth;
  else
    abi::storeRelease(counter.holder, 0u);
}

void leaveAllSections(Thread &self) {
  self.sections = 0;
  for (Counter &counter : context.page->counters)
    if (abi::loadRelaxed(counter.holder) == self.number) {
      counter.depth = 0;
      abi::storeRelease(counter.holder, 0u);
    }
}

} // namespace deadheat::runtime
