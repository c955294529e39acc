// What the threads of a sampled run know of each other (abi/known.h), kept in the process page: locks, atomic operations and fences
// are not told, only what somebody learns by them.
//
// Claim   Order between told accesses is whole, and races that are seen are races: what abi/known.h claims.
// Assumes all that gives and takes comes by here while a thread is followed. What is told otherwise (conditions, descriptors,
//         creation and end of threads) is news of the thread that tells it.
// Cost    Of a lock or an atomic load that brings nothing: some ten instructions, no event.
// Misses  Atomic accesses that are not sampled, as plain ones: how often a place executes decides, not which body it is in.
#pragma once

#include "abi/table.h"
#include "runtime/interpose/interpose.h"

namespace deadheat::runtime {

inline bool isShared(const Sync &sync) { return (sync.flags & abi::kShared) != 0; }

// The lock is one that others may have held shared, and this thread does not.
inline bool hasReaders(const Sync &sync) { return sync.kind == SyncKind::RwLock && !isShared(sync); }

// A lock was taken; it is let go. The thread tells, and the writer is there for the time.
void learnFromLock(Writer &writer, const Sync &sync);
void giveToLock(Writer &writer, const Sync &sync);

// Whether neither has anything to do, at a look: most locks are taken by a thread that let go of them last, or knows who did.
[[gnu::always_inline]] inline bool knowsLock(const Thread &self, const Sync &sync) {
  const abi::Knower &knower = self.own->knower;
  return !hasReaders(sync) && knower.number != 0 &&
         abi::knowsAtOnce(context.page->known, knower, sync.address(), abi::Passage::Lock);
}
[[gnu::always_inline]] inline bool hasGivenLock(const Thread &self, const Sync &sync) {
  const U64 object = isShared(sync) ? abi::readersOf(sync.address()) : sync.address();
  return abi::keepsGiven(context.page->known, self.own->knower, object, self.news);
}

// Something was signalled that compiled code looks at itself, by an atomic load.
void giveToLoads(Writer &writer, const Sync &sync);

// A thread that was created knows what its creator knew; one that ends leaves its place.
const abi::Known *knownOf(const Thread &self);
void inheritKnown(Thread &self, const abi::Known *creator);
void endKnowing(Thread &self, U64 frame);

// Operations that a handler left by longjmp.
void dropWrites(Thread &self);

// Replaces the hooks of atomic operations and fences.
void fillKnown(abi::HookTable &table);

} // namespace deadheat::runtime
