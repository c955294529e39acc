// Synchronisation that need not be told: what a thread did before, with nothing new to hand on and nothing new to learn.
//
// Claim   No order between told accesses is lost, and no lock set of a told access: a critical section is left out if the
//         thread was the last to let the lock go, in the same mode, and since then has told nothing but what it let go
//         itself. Whoever takes the lock next is after the earlier release, and so after all that there is to be after. A
//         section in which something is told is told first; a lock that is taken under others for the first time in this way is told.
//         A signal that repeats the thread's own last one on an object is left out likewise.
// Assumes who tells of an object does so while that is his, as stamps do (stamps.h): so his mark is seen by who has it next.
// Cost    A look at the thread's own table and at the mark that was left last, no stamp and no event.
// Misses  Left-out uses of a lock do not count as uses when another thread destroys it. So only sampled runs leave out.
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

// Whether the thread itself was the last to tell of this object: what it waits for there it knows already.
bool knowsAll(Thread &self, const Sync &sync);

// Whether the thread has signalled this object, and neither it nor another has told anything since that would matter.
bool repeatsSignal(Thread &self, const Sync &sync);

// What who told last of an object left, in an entry that objects share. A mark is left by one thread, once; but this one says that
// an atomic operation which may write is under way.
inline constexpr U64 kBusyMark = ~U64(0);
U64 &lastMark(U64 object);
U64 newMark(Thread &self);

// The thread tells of the object; `gives`: it lets go or signals.
void noteTold(Thread &self, const Sync &sync, bool gives);

} // namespace deadheat::runtime
