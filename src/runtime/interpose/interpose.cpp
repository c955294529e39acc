#include "runtime/interpose/interpose.h"

#include "runtime/compare.h"
#include "runtime/cost.h"
#include "runtime/known.h"
#include "runtime/meetings.h"
#include "runtime/ordered.h"
#include "runtime/repeats.h"
#include "runtime/sampler.h"
#include "runtime/touched.h"

namespace deadheat::runtime {
namespace {

bool isTelling() { return isAttached() && tells(thread); }

// `write` gets the stamp of the object.
template <typename Write> void tellStamped(U64 object, const Caller &caller, Write write) {
  Thread &self = thread;
  if (!isTelling()) return;
  SyncSpan span(self);
  Writer writer(self, caller.frame);
  if (!writer.hasRoom()) return;
  tellFrames(writer, returnSlotOf(caller.frame));
  write(writer, takeStamp(object));
}

void tellSync(EventKind kind, const Sync &sync, const Caller &caller) {
  tellStamped(sync.address(), caller, [&](Writer &writer, U64 stamp) {
    writer.event(kind, sync.payload(), sync.address(), stamp, caller.returns);
  });
}

bool isLock(SyncKind kind) { return kind == SyncKind::Mutex || kind == SyncKind::RwLock || kind == SyncKind::SpinLock; }

// Rounds of a barrier are apart, and what is notified is ordered by its lock.
bool isMessage(SyncKind kind) { return kind != SyncKind::Barrier && kind != SyncKind::Condition; }

void giveOrder(Thread &self, const Sync &sync) {
  if (isLock(sync.kind))
    noteLockLeft(self, sync.address(), sync.flags);
  else if (isMessage(sync.kind))
    noteMessageGiven(self, sync.address());
}

void learnOrder(Thread &self, const Sync &sync) {
  if (isLock(sync.kind))
    noteLockTaken(self, sync.address(), sync.flags);
  else if (isMessage(sync.kind))
    noteMessageTaken(self, sync.address());
}

// What the thread gives, it gave itself: no news to those who learn from it later.
void tellGiven(EventKind kind, const Sync &sync, const Caller &caller) {
  tellStamped(sync.address(), caller, [&](Writer &writer, U64 stamp) {
    writer.event(kind, sync.payload(), sync.address(), stamp, caller.returns);
    --writer.self().news;
    if (leavesOutRepeats()) noteGiven(writer.self(), sync);
    giveOrder(writer.self(), sync);
  });
  endPiece(thread);
}

void tellTaken(EventKind kind, const Sync &sync, const Caller &caller) {
  if (!isTelling()) return;
  const U64 seen = signalsSeen(sync);
  learnOrder(thread, sync); // before the stamp is taken: no more than the reader will
  tellStamped(sync.address(), caller, [&](Writer &writer, U64 stamp) {
    writer.event(kind, sync.payload(), sync.address(), stamp, caller.returns);
    if (!leavesOutRepeats()) return;
    if (knowsAll(writer.self(), sync)) --writer.self().news;
    noteTaken(writer.self(), sync, seen);
  });
}

// For what has no stamp of its own: signals that come meanwhile wait, as with an event.
template <typename Decide> bool decide(const Caller &caller, Decide decision) {
  if (!leavesOutRepeats() || !isTelling()) return false;
  Writer writer(thread, caller.frame);
  return decision();
}

// Compiled code looks at the flag of a static itself.
bool isLookedAt(SyncKind kind) { return kind == SyncKind::Once || kind == SyncKind::Futex; }

// Told for the sake of lock sets and lock order alone: what it orders was learnt and given.
void tellLock(EventKind kind, const Sync &sync, const Caller &caller) {
  tellStamped(sync.address(), caller, [&](Writer &writer, U64 stamp) {
    writer.event(kind, sync.payload(), sync.address(), stamp, caller.returns);
    --writer.self().news;
    noteTouched(sync.address(), 1);
  });
}

// Inner holds of a lock order nothing.
void takeKnown(const Sync &sync, const Caller &caller) {
  if ((sync.flags & abi::kRecursive) != 0) return;
  bool isPutOff = false;
  {
    SyncSpan span(thread);
    Writer writer(thread, caller.frame);
    if (!knowsLock(thread, sync)) learnFromLock(writer, sync);
    isPutOff = putOff(thread, sync, caller.returns);
  }
  if (!isPutOff) tellLock(EventKind::Acquire, sync, caller);
}

void giveKnown(const Sync &sync, const Caller &caller) {
  if ((sync.flags & abi::kRecursive) != 0) return;
  {
    Writer writer(thread, caller.frame);
    if (leaveOut(thread, sync)) {
      if (hasGivenLock(thread, sync)) return;
      SyncSpan span(thread);
      return giveToLock(writer, sync);
    }
  }
  tellLock(EventKind::Release, sync, caller);
  SyncSpan span(thread);
  Writer writer(thread, caller.frame);
  giveToLock(writer, sync);
}

} // namespace

void tellAcquire(const Sync &sync, const Caller &caller) {
  if (!isTelling()) return;
  if (leavesOutRepeats() && isLock(sync.kind))
    takeKnown(sync, caller);
  else
    tellTaken(EventKind::Acquire, sync, caller);
  markLocked(thread);
}

void tellRelease(const Sync &sync, const Caller &caller) {
  if (!isTelling()) return;
  if (leavesOutRepeats() && isLock(sync.kind))
    giveKnown(sync, caller);
  else
    tellGiven(EventKind::Release, sync, caller);
}

// To want something is no news.
void tellWant(const Sync &sync, const Caller &caller) {
  if (!isTelling()) return;
  Writer writer(thread, caller.frame);
  if (!writer.hasRoom()) return;
  tellFrames(writer, returnSlotOf(caller.frame));
  writer.event(EventKind::Want, sync.payload(), sync.address(), caller.returns);
  --writer.self().news;
}

void tellSignal(const Sync &sync, const Caller &caller) {
  if (leavesOutRepeats() && isLookedAt(sync.kind) && isTelling()) {
    Writer writer(thread, caller.frame);
    giveToLoads(writer, sync);
  }
  if (!decide(caller, [&] { return repeatsSignal(thread, sync); })) tellGiven(EventKind::Signal, sync, caller);
}

void tellWait(const Sync &sync, const Caller &caller) {
  if (!decide(caller, [&] { return knowsAll(thread, sync); })) tellTaken(EventKind::Wait, sync, caller);
}

void tellBytes(bool written, const void *address, U64 bytes, const Caller &caller) {
  if (bytes == 0 || !isTelling()) return;
  if (thread.memory)
    return rememberCall(thread, reinterpret_cast<U64>(address), bytes, abi::kPlain | (written ? abi::kWrites : 0),
                        caller.returns, caller.frame);
  Writer writer(thread, caller.frame);
  if (!writer.hasRoom()) return;
  tellFrames(writer, returnSlotOf(caller.frame));
  if (context.flags.sampler == abi::Sampler::Compare) tellSamplers(writer);
  tellParts(thread, reinterpret_cast<U64>(address), bytes, !leavesOutRepeats(), [&](U64 begin, U64 length) {
    noteTouched(begin, length);
    noteMeetings(thread, begin, length, written);
    writer.event(EventKind::Bytes, written, begin, length, caller.returns);
  });
}

// Each use of what was made is looked at by the detector, which is dearer than all else about an uncontended lock.
void tellMade(const Sync &sync, const Caller &caller) {
  if (!leavesOutRepeats()) tellSync(EventKind::Make, sync, caller);
}

} // namespace deadheat::runtime
