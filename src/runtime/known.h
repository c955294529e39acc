// What the threads of a sampled run know of each other (abi/known.h), kept in the process page: locks, atomic operations and fences
// are not told, only what somebody learns by them.
//
// Claim   Order between told accesses is whole, and races that are seen are races: what abi/known.h claims.
// Assumes all that gives and takes comes by here while a thread is followed. What is told otherwise (conditions, descriptors,
//         creation and end of threads) is news of the thread that tells it.
// Cost    Of a lock or an atomic load that brings nothing: some thirty instructions, no event.
// Misses  Atomic accesses that are not sampled, as plain ones: how often a place executes decides, not which body it is in.
#pragma once

#include "abi/table.h"
#include "runtime/interpose/interpose.h"

namespace deadheat::runtime {

// A lock was taken; it is let go. The thread tells, and the writer is there for the time.
void learnFromLock(Writer &writer, const Sync &sync);
void giveToLock(Writer &writer, const Sync &sync);

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
