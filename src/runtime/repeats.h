// Synchronisation of a sampled run that need not be told.
//
// Claim   No lock set of a told access is lost: a lock is put off until something is told while it is held; a lock that is taken
//         under others for the first time in this way is told, but for some of those that one place takes (sampler.h). What locks order
//         is not told by them (known.h). A signal is left out if it repeats the thread's own last one on an object, and the thread
//         has told and learnt nothing since.
// Assumes a signal is told before it happens, and a wait after it.
// Cost    A look at the thread's own table and, of signals, at a count of signals, no stamp and no event.
// Misses  Uses of a lock that are not told do not count as uses when another thread destroys it. So only sampled runs leave out.
// Differs LiteRace tells all synchronisation. What is left out here is what its detector would have learnt nothing from.
#pragma once

#include "runtime/interpose/interpose.h"

namespace deadheat::runtime {

// Whether this run leaves anything out: decided once (Context::leavesOut), as every lock asks.
bool mayLeaveOut(const abi::Flags &flags);
inline bool leavesOutRepeats() { return context.leavesOut; }

inline U64 spread(U64 value) { return (value ^ value >> 29) * 0x9e3779b97f4a7c15; }

// Whether the thread told before that it takes this lock here under those that it holds, of which there are some. A place that takes ever
// other locks tells ever fewer of them.
bool toldNesting(Thread &self, U64 object, U64 returns);

// A lock was taken. True: it is not told, unless something is told while it is held.
inline bool putOff(Thread &self, const Sync &sync, U64 returns) {
  const bool told = self.held == 0 || toldNesting(self, sync.address(), returns);
  self.held += spread(sync.address());
  if (!told || self.putOff == kMostPutOff) return false;
  self.own->putOff[self.putOff] = {sync.payload(), sync.address(), returns};
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  ++self.putOff;
  return true;
}

// A lock is let go. True: it was put off, and nothing has to be told.
bool takeOut(Thread &self, U64 object);
inline bool leaveOut(Thread &self, const Sync &sync) {
  const U64 object = sync.address();
  self.held -= spread(object);
  if (self.putOff == 0) return false;
  if (self.own->putOff[self.putOff - 1].object == object) return --self.putOff, true;
  return takeOut(self, object);
}

// How often objects that share an entry with this one were signalled: to be asked before the stamp of a wait is taken, as signals count
// after theirs was, and before they happen.
U64 signalsSeen(const Sync &sync);

// Whether nobody but the thread itself has signalled the object since it took all that had been: what it waits for there it knows already.
bool knowsAll(Thread &self, const Sync &sync);

// Whether the thread has signalled this object, and neither it nor another has told anything since that would matter.
bool repeatsSignal(Thread &self, const Sync &sync);

// The thread signals the object; it has taken what it had when so many signals were seen. In the writer of the event.
void noteGiven(Thread &self, const Sync &sync);
void noteTaken(Thread &self, const Sync &sync, U64 seen);

} // namespace deadheat::runtime
