// Whether one access comes before what the thread on the other side has seen, or waited for: an atomic, a semaphore, a barrier, a count or
// a flag under a condition variable.
//
// Claim   comesAfter: `later` has found out what `earlier` tells after its access, and `earlier` has not told it before, or is back at its access
//         only after a wait. Semaphores and atomics may be told before, too, where each round is about another object; not where it is one
//         variable, or one block that was made before the rounds, that is written again and again with nothing to wait for, or by several
//         threads of which a single wait is for the first. A semaphore that lets in several at once orders nobody who has waited for it, too, where
//         all access one thing; a barrier nobody who comes back to the access without it.
// Misses  which of several threads has set an atomic.
#pragma once

#include "analyse/filter/signals.h"

namespace deadheat::analyse {

struct Side {
  const Performer &performer;
  const Leaf &leaf;
  const WorldAccess &access;
};

bool comesAfter(const World &world, Signals &signals, const Side &later, const Side &earlier);

using Told = std::map<link::ThreadId, std::set<link::Location>>;

bool tells(const World &world, const Told &all, link::ThreadId thread, link::Location signal);

// Where points-to sees what was seen or is held.
link::Location placeOf(const World &world, const HeldLock &seen);

} // namespace deadheat::analyse
