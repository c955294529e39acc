#include "runtime/interpose/interpose.h"

namespace deadheat::runtime {
namespace {

// `write` gets the stamp of the object.
template <typename Write> void tellStamped(U64 object, const Caller &caller, Write write) {
  Thread &self = thread;
  if (!isAttached() || !tells(self)) return;
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

} // namespace

void tellAcquire(const Sync &sync, const Caller &caller) { tellSync(EventKind::Acquire, sync, caller); }

void tellRelease(const Sync &sync, const Caller &caller) {
  tellSync(EventKind::Release, sync, caller);
  ++thread.clock;
}

void tellWant(const Sync &sync, const Caller &caller) {
  tellEvent(caller, EventKind::Want, sync.payload(), sync.address(), caller.returns);
}

void tellSignal(const Sync &sync, const Caller &caller) {
  tellSync(EventKind::Signal, sync, caller);
  ++thread.clock;
}

void tellWait(const Sync &sync, const Caller &caller) { tellSync(EventKind::Wait, sync, caller); }

void tellBytes(bool written, const void *address, U64 bytes, const Caller &caller) {
  if (bytes != 0) tellEvent(caller, EventKind::Bytes, written, reinterpret_cast<U64>(address), bytes, caller.returns);
}

void tellMade(const Sync &sync, const Caller &caller) { tellSync(EventKind::Make, sync, caller); }

} // namespace deadheat::runtime
