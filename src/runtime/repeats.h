// Synchronisation of a sampled run that need not be told.
//
// Claim   No lock set of a told access is lost: a lock is put off until something is told while it is held; a lock that is taken
//         under others for the first time in this way is told, but for some of those that one place takes (sampler.h). What locks order
//         is not told by them (known.h). A signal is left out if it repeats the thread's own last one on an object, and the thread
//         has told and learnt nothing since.
// Assumes who tells of an object does so while that is his, as stamps do (stamps.h): so his mark is seen by who has it next.
// Cost    A look at the thread's own table and, of signals, at the mark that was left last, no stamp and no event.
// Misses  Uses of a lock that are not told do not count as uses when another thread destroys it. So only sampled runs leave out.
// Differs LiteRace tells all synchronisation. What is left out here is what its detector would have learnt nothing from.
#pragma once

#include "runtime/interpose/interpose.h"

namespace deadheat::runtime {

// Whether this run leaves anything out.
bool leavesOutRepeats();

// A lock was taken. True: it is not told, unless something is told while it is held.
bool putOff(Thread &self, const Sync &sync, U64 returns);

// A lock is let go. True: it was put off, and nothing has to be told.
bool leaveOut(Thread &self, const Sync &sync);

// Whether the thread itself was the last to tell of this object, and had taken what others gave before: what it waits for there it
// knows already.
bool knowsAll(Thread &self, const Sync &sync);

// Whether the thread has signalled this object, and neither it nor another has told anything since that would matter.
bool repeatsSignal(Thread &self, const Sync &sync);

// The thread tells of the object; `gives`: it lets go or signals.
void noteTold(Thread &self, const Sync &sync, bool gives);

} // namespace deadheat::runtime
