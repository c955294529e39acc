#include "runtime/known.h"

#include "runtime/frames.h"
#include "runtime/hooks.h"
#include "runtime/meetings.h"
#include "runtime/repeats.h"
#include "runtime/sampler.h"
#include "runtime/slots.h"
#include "runtime/touched.h"

#define HOOK_CALL __attribute__((preserve_most))

namespace deadheat::runtime {
namespace {

using abi::Order;
using abi::Passage;
using abi::Ptr;
using abi::Void;

// What abi::Knowing tells by.
class Teller {
public:
  explicit Teller(Writer &writer) : writer_(writer) {}

  bool publish(U64 id, bool own, U64 also) {
    if (!writer_.hasRoom()) return false;
    if (also != 0) tell(EventKind::Wait, also, abi::kStateNamed, 0);
    tell(EventKind::Signal, id, own ? abi::kStateOwn : 0, also == 0 ? 0 : abi::stateObject(also));
    if (own) endPiece(writer_.self());
    return true;
  }

  void learn(U64 id, Passage passage) {
    ++writer_.self().learnt;
    if (writer_.hasRoom()) tell(EventKind::Wait, id, passage == Passage::Lock ? abi::kStateByLock : 0, 0);
  }

  U64 news() { return writer_.self().news; }
  bool wait(int tries) { return waitForOther(tries); }

private:
  void tell(EventKind kind, U64 id, U8 flags, U64 also) {
    const U64 object = abi::stateObject(id);
    writer_.event(kind, abi::syncPayload(SyncKind::State, flags), object, takeStamp(object), also);
  }

  Writer &writer_;
};

// A thread's first use gives it its place.
abi::Knower &knowerOf(Writer &writer) {
  Thread &self = writer.self();
  abi::Knower &knower = self.own->knower;
  if (knower.number == 0) [[unlikely]] {
    Teller teller(writer);
    knower.number = self.number;
    abi::Knowing(context.page->known, knower, teller).takePlace();
  }
  return knower;
}

template <typename Act> void withKnowing(Writer &writer, Act act) {
  Teller teller(writer);
  abi::Knowing knowing(context.page->known, knowerOf(writer), teller);
  act(knowing);
}

bool ignoresSync(const Thread &self) { return (self.ignored.sync | self.ignored.inLock) != 0; }

// Under which an atomic is known: eight bytes are one, as an operation on all of them reads what was stored into either half. That orders more
// than there is, never less.
[[gnu::always_inline]] inline U64 wordOf(U64 object) { return object & ~U64(7); }
[[gnu::always_inline]] inline U64 wordOf(Ptr address) { return wordOf(reinterpret_cast<U64>(address)); }

struct Operation {
  U64 object;
  U64 slot;
  U32 info;

  bool isLoad() const { return (info >> abi::kLoadShift & 1) != 0; }
  bool writes() const { return !isLoad() && (info >> abi::kSucceededShift & 1) != 0; }
  bool updates() const { return (info >> abi::kStoreShift & 1) == 0; }
  Order order() const {
    const bool succeeded = isLoad() || writes();
    return static_cast<Order>((succeeded ? info : info >> abi::kFailureOrderShift) & 0xf);
  }
};

// A load again, since the thread last gave anything: threads that spin.
bool repeatsLoad(Thread &self, const Operation &operation) {
  if (!operation.isLoad()) return false;
  const LoadEntry now{operation.object, 0, self.accesses.idOf(operation.slot), self.clock};
  LoadEntry &told = self.own->loads[operation.object / 8 % kLoadEntries];
  if (told.object == now.object && told.access == now.access && told.clock == now.clock) return true;
  told = now;
  return false;
}

// Its order is in what was learnt: as an access it has none.
void tellAccess(Writer &writer, const Operation &operation, U64 frame) {
  Thread &self = writer.self();
  if (!takeExecution(self, operation.slot) || repeatsLoad(self, operation) || !writer.hasRoom()) return;
  const bool succeeded = operation.isLoad() || operation.writes();
  tellFrames(writer, returnSlotOf(frame));
  noteTouched(operation.object, 1);
  noteMeetings(self, operation.object, 1, operation.writes());
  writer.event(EventKind::Atomic, self.accesses.idOf(operation.slot), operation.object,
               abi::atomicWord(takeStamp(operation.object), succeeded, Order::Relaxed));
}

// Of an access: what it was last time, but for what may differ. Its order does not.
constexpr U32 kInfoKnown = 1u << 31;

__attribute__((preserve_most, noinline)) Void beginWrite(Ptr address, Ptr access) {
  Thread &self = thread;
  if (address == nullptr || hasNote(access, SlotNote::Load)) return;
  if (!knowsAccess(self, reinterpret_cast<U64>(access)) || ignoresSync(self)) return;
  Writer writer(self, thisFrame());
  if (!writer.hasRoom()) return; // to be waited for now, while nobody waits for us
  withKnowing(writer, [&](auto &knowing) { knowing.beginWrite(wordOf(address)); });
}

__attribute__((preserve_most, noinline)) Void endSlowly(Ptr address, Ptr access, U32 info) {
  Thread &self = thread;
  const Operation operation{reinterpret_cast<U64>(address), reinterpret_cast<U64>(access), info};
  if (address == nullptr || !knowsAccess(self, operation.slot) || ignoresSync(self)) return;
  const U64 frame = thisFrame();
  Writer writer(self, frame);
  withKnowing(writer, [&](auto &knowing) {
    if (operation.isLoad() && !knowing.hasBegun(wordOf(operation.object))) {
      knowing.load(wordOf(operation.object), operation.order());
      tellAccess(writer, operation, frame);
    } else {
      knowing.endWrite(wordOf(operation.object), operation.writes(), operation.updates(), operation.order(),
                       [&] { tellAccess(writer, operation, frame); });
    }
  });
  if (operation.isLoad()) addNote(access, SlotNote::Load);
  self.nearSites[operation.slot - self.accesses.begin].call = info | kInfoKnown;
}

constexpr U32 kLoad = 1u << abi::kLoadShift;

bool gives(U32 info) { return (info & 0xf) >= static_cast<U32>(Order::Release); }
bool succeeded(U32 info) { return (info >> abi::kSucceededShift & 1) != 0; }

// Whether the access lies where the last one lay; then there is room for its counts (prepareSites), as synchronisation is left out.
[[gnu::always_inline]] inline bool isNear(const Thread &self, Ptr access, U64 &at) {
  at = reinterpret_cast<U64>(access) - self.accesses.begin;
  return at < self.accesses.size;
}

// One that is passed over, and what its execution before says of it; 0: the longer way.
[[gnu::always_inline]] inline U32 knownInfo(const Thread &self, Ptr access) {
  U64 at;
  if (!isNear(self, access, at) || self.nearSites[at].pause == 0) return 0;
  const U32 info = self.nearSites[at].call;
  return (info & kInfoKnown) != 0 ? info : 0;
}

// Where it is sampled, or it is not known what kind it is, the longer way. One that failed last time may do so again, and then it gives nothing.
__attribute__((preserve_most, noinline)) Void beginUpdateAgain(Ptr address, Ptr access) {
  Thread &self = thread;
  if (const U32 info = knownInfo(self, access)) [[likely]] {
    const U64 object = wordOf(address);
    abi::KnownTable &table = context.page->known;
    abi::Knower &knower = self.own->knower;
    const bool mayGive = gives(info) && succeeded(info) && !ignoresSync(self);
    if (mayGive ? abi::giveBefore(table, knower, object, self.news)
                : abi::changesNothing(table, knower, object, gives(info), self.news))
      return;
  }
  [[clang::musttail]] return beginWrite(address, access);
}

// What is clear at one look saves few registers; so below.
__attribute__((preserve_most, noinline)) Void beginUpdate(Ptr address, Ptr access) {
  Thread &self = thread;
  const U32 info = knownInfo(self, access);
  if (info != 0 && abi::changesNothingAtOnce(context.page->known, self.own->knower, wordOf(address), gives(info),
                                             self.news)) [[likely]]
    return;
  [[clang::musttail]] return beginUpdateAgain(address, access);
}

// That an access is a load is known from its first execution on: that one is taken for a write. From then on it pays a look
// here, and saves no register.
HOOK_CALL Void beginAtomic(Ptr address, Ptr access) {
  U64 at;
  if (isNear(thread, access, at) && (thread.nearSites[at].call & kLoad) != 0) return;
  [[clang::musttail]] return beginUpdate(address, access);
}

// One that finds what the thread knows, has nothing to give, and is not sampled: nothing told. In the child of a fork nothing is
// kept, and so nothing new. Where a beginWrite lies before it, its object keeps that mark.
__attribute__((preserve_most, noinline)) Void endUpdateAgain(Ptr address, Ptr access, U32 info) {
  Thread &self = thread;
  U64 at;
  if (isNear(self, access, at) && self.nearSites[at].pause != 0 &&
      abi::changesNothing(context.page->known, self.own->knower, wordOf(address), gives(info), self.news)) {
    --self.nearSites[at].pause;
    return;
  }
  [[clang::musttail]] return endSlowly(address, access, info);
}

__attribute__((preserve_most, noinline)) Void endUpdate(Ptr address, Ptr access, U32 info) {
  Thread &self = thread;
  U64 at;
  if (isNear(self, access, at) && self.nearSites[at].pause != 0 &&
      abi::changesNothingAtOnce(context.page->known, self.own->knower, wordOf(address), gives(info), self.news))
      [[likely]] {
    --self.nearSites[at].pause;
    return;
  }
  [[clang::musttail]] return endUpdateAgain(address, access, info);
}

__attribute__((preserve_most, noinline)) Void endLoadAgain(Ptr address, Ptr access, U32 info) {
  Thread &self = thread;
  U64 at;
  if (isNear(self, access, at) && self.nearSites[at].pause != 0 &&
      abi::knowsKept(context.page->known, self.own->knower, wordOf(address))) {
    --self.nearSites[at].pause;
    return;
  }
  [[clang::musttail]] return endSlowly(address, access, info);
}

__attribute__((preserve_most, noinline)) Void endLoad(Ptr address, Ptr access, U32 info) {
  Thread &self = thread;
  U64 at;
  if (isNear(self, access, at) && self.nearSites[at].pause != 0 &&
      abi::knowsAtOnce(context.page->known, self.own->knower, wordOf(address), Passage::Message)) [[likely]] {
    --self.nearSites[at].pause;
    return;
  }
  [[clang::musttail]] return endLoadAgain(address, access, info);
}

HOOK_CALL Void endAtomic(Ptr address, Ptr access, U32 info) {
  if ((info & kLoad) != 0) [[clang::musttail]]
    return endLoad(address, access, info);
  [[clang::musttail]] return endUpdate(address, access, info);
}

HOOK_CALL Void fence(Ptr access, U32 order) {
  Thread &self = thread;
  if (!knowsAccess(self, reinterpret_cast<U64>(access)) || ignoresSync(self)) return;
  Writer writer(self, thisFrame());
  withKnowing(writer, [&](auto &knowing) { knowing.fence(static_cast<Order>(order)); });
}

} // namespace

void learnFromLock(Writer &writer, const Sync &sync) {
  if (ignoresSync(writer.self())) return;
  withKnowing(writer, [&](auto &knowing) { knowing.takeLock(sync.address(), hasReaders(sync)); });
}

void giveToLock(Writer &writer, const Sync &sync) {
  if (ignoresSync(writer.self())) return;
  withKnowing(writer, [&](auto &knowing) { knowing.giveLock(sync.address(), isShared(sync)); });
}

void giveToLoads(Writer &writer, const Sync &sync) {
  if (ignoresSync(writer.self())) return;
  withKnowing(writer, [&](auto &knowing) { knowing.giveMessage(wordOf(sync.address())); });
}

const abi::Known *knownOf(const Thread &self) {
  return leavesOutRepeats() && self.own ? &self.own->knower.known : nullptr;
}

void inheritKnown(Thread &self, const abi::Known *creator) {
  if (creator && self.own) self.own->knower.known = *creator;
}

void endKnowing(Thread &self, U64 frame) {
  if (!leavesOutRepeats() || !self.own || self.own->knower.number == 0 || !tells(self)) return;
  Writer writer(self, frame);
  withKnowing(writer, [&](auto &knowing) { knowing.leavePlace(); });
}

void dropWrites(Thread &self) {
  if (!self.own || self.own->knower.pending == 0 || !tells(self)) return;
  Writer writer(self, thisFrame());
  withKnowing(writer, [&](auto &knowing) { knowing.dropWrites(); });
}

void fillKnown(abi::HookTable &table) {
  if (!leavesOutRepeats()) return;
  table.atomic_begin = beginAtomic;
  table.atomic_end = endAtomic;
  table.fence = fence;
}

} // namespace deadheat::runtime
