#include "runtime/repeats.h"

#include "runtime/sampler.h"
#include "runtime/touched.h"

namespace deadheat::runtime {
namespace {

constexpr U64 kNothing = ~U64(0);

// Readers and writers of one lock let go different things.
U64 identity(const Sync &sync) {
  return sync.address() << 8 | static_cast<U64>(sync.kind) << 1 | (sync.flags & abi::kShared);
}

LastTold &entryOf(Thread &self, U64 object) { return self.own->lastTold[spread(object) >> (64 - kLastToldBits)]; }

U64 &signalsOf(U64 object) { return context.page->lastTellers[spread(object) >> (64 - kTellerBits)]; }

LastTold &ownEntry(Thread &self, const Sync &sync) {
  LastTold &entry = entryOf(self, identity(sync));
  if (entry.object != identity(sync)) entry = {identity(sync), kNothing, kNothing};
  return entry;
}

bool gaveAll(Thread &self, const Sync &sync) {
  const LastTold &entry = entryOf(self, identity(sync));
  return entry.object == identity(sync) && entry.given == self.news + self.learnt;
}

} // namespace

bool mayLeaveOut(const abi::Flags &flags) {
  return flags.repeats == 0 && flags.sampler != abi::Sampler::Full && flags.sampler != abi::Sampler::Flip &&
         flags.sampler != abi::Sampler::Compare;
}

bool toldNesting(Thread &self, U64 object, U64 returns) {
  const U64 way = spread(self.held + spread(object) + returns);
  U64 &told = self.own->nestings[way >> (64 - kNestingBits)];
  if (told == way) return true;
  told = way;
  return !takeNesting(self, returns);
}

bool takeOut(Thread &self, U64 object) {
  for (U32 index = self.putOff; index-- != 0;) {
    if (self.own->putOff[index].object != object) continue;
    --self.putOff;
    for (; index != self.putOff; ++index) self.own->putOff[index] = self.own->putOff[index + 1];
    return true;
  }
  return false;
}

U64 signalsSeen(const Sync &sync) { return abi::loadAcquire(signalsOf(sync.address())); }

bool knowsAll(Thread &self, const Sync &sync) {
  const LastTold &entry = entryOf(self, identity(sync));
  return entry.object == identity(sync) && entry.seen == signalsSeen(sync);
}

// What was signalled stays with the object, whoever signals after that; but each round of a barrier is for itself.
bool repeatsSignal(Thread &self, const Sync &sync) { return sync.kind != SyncKind::Barrier && gaveAll(self, sync); }

void noteGiven(Thread &self, const Sync &sync) {
  LastTold &entry = ownEntry(self, sync);
  const U64 before = abi::fetchAdd(signalsOf(sync.address()), U64(1));
  if (entry.seen == before) entry.seen = before + 1; // nobody else's came between
  entry.given = self.news + self.learnt;
  noteTouched(sync.address(), 1);
}

void noteTaken(Thread &self, const Sync &sync, U64 seen) {
  ownEntry(self, sync).seen = seen;
  noteTouched(sync.address(), 1);
}

SLOW_PATH void tellPutOff(Writer &writer) {
  Thread &self = writer.self();
  const U32 count = self.putOff;
  self.putOff = 0;
  for (U32 index = 0; index != count; ++index) {
    const PutOff &lock = self.own->putOff[index];
    writer.event(EventKind::Acquire, lock.payload, lock.object, takeStamp(lock.object), lock.returns);
  }
}

} // namespace deadheat::runtime
