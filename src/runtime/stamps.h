// The order between threads: counters hashed by address, in memory that a fork wipes.
//
// Claim   Two events on one object have stamps in the order in which they happened, if the caller takes a stamp while it
//         holds what makes it unique: after a lock was got and before it is let go, or in an atomic section.
// Cost    One locked addition; an atomic section one compare-exchange and one store more.
// Misses  The order of an atomic operation whose section was waited for in vain: its holder was stopped in the midst, or
//         waits for a section that we hold under a signal handler.
#pragma once

#include "runtime/context.h"

namespace deadheat::runtime {

inline Counter &counterOf(U64 object) { return context.page->counters[abi::stampCounter(object)]; }

inline U64 takeStamp(U64 object) { return abi::fetchAdd(counterOf(object).stamp, U64(1)) + 1; }

// Stamps so far that no atomic load took. In the section.
inline U64 otherStamps(U64 object) {
  const Counter &counter = counterOf(object);
  return abi::loadRelaxed(counter.stamp) - counter.loads;
}

// A little, for what another thread is about to do; the longer the more often it was asked. False: in vain, after seconds.
bool waitForOther(int tries);

// Entered again by a handler that interrupted it.
void enterSection(Thread &self, U64 object);
void leaveSection(Thread &self, U64 object);

// Of a thread that longjmp takes away.
void leaveAllSections(Thread &self);

} // namespace deadheat::runtime
