// What watching takes, measured where a run has a budget: cycles between one told access and the next, and in telling of
// synchronisation. Written into the thread's ring, so that it is known whatever becomes of the thread.
//
// Cost    A look at the processor's clock, some twenty cycles.
// Misses  What a thread was interrupted for: a span that is longer than kLongest counts for nothing.
#pragma once

#include "abi/table.h"
#include "runtime/context.h"

namespace deadheat::runtime {

inline constexpr U64 kLongest = 300000; // cycles

inline U64 cyclesNow() { return __builtin_ia32_rdtsc(); }

// A told call begins.
inline void beginSpan(Thread &self) {
  if (context.flags.clock) self.spanBegan = cyclesNow();
}

inline void addSpan(U64 &to, U64 began) {
  const U64 span = cyclesNow() - began;
  if (span < kLongest) abi::storeRelaxed(to, to + span);
}

// Lasts as long as it lives.
class SyncSpan {
public:
  explicit SyncSpan(Thread &self) : self_(self), began_(context.flags.clock ? cyclesNow() : 0) {}
  ~SyncSpan() {
    if (began_ != 0 && self_.ring) addSpan(self_.ring->syncCycles, began_);
  }
  SyncSpan(const SyncSpan &) = delete;
  SyncSpan &operator=(const SyncSpan &) = delete;

private:
  Thread &self_;
  const U64 began_;
};

// Puts a look at the clock in front of the hooks of accesses.
void fillTimed(abi::HookTable &table);

} // namespace deadheat::runtime
