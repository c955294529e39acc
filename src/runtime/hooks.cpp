#include "runtime/hooks.h"

#include "abi/note.h"
#include "runtime/common_bursts.h"
#include "runtime/compare.h"
#include "runtime/cost.h"
#include "runtime/filter.h"
#include "runtime/frames.h"
#include "runtime/known.h"
#include "runtime/marks.h"
#include "runtime/meetings.h"
#include "runtime/objects.h"
#include "runtime/ordered.h"
#include "runtime/remember.h"
#include "runtime/repeats.h"
#include "runtime/sampler.h"
#include "runtime/shadow.h"
#include "runtime/stamps.h"
#include "runtime/touched.h"

#define HOOK_CALL __attribute__((preserve_most))

namespace deadheat::runtime {
namespace {

using abi::Bool;
using abi::EventKind;
using abi::Order;
using abi::Ptr;
using abi::Void;

// Finds the object of an access that does not lie where the last one lay.
SLOW_PATH bool prepareAccess(Thread &self, U64 slot) {
  LoadedObject object;
  if (!tells(self) || !findAgain(self, slot, object) || !object.accesses.has(slot)) return false;
  if (!prepareSites(self, object.accesses)) return false;
  self.accesses = object.accesses;
  return true;
}

[[gnu::always_inline]] inline bool knows(Thread &self, U64 slot) {
  return (isCurrent(self) && self.accesses.has(slot)) || prepareAccess(self, slot);
}

// As many as it may have.
U64 mostBytes(U64 slot) {
  const U32 bytes = abi::slotLength(*reinterpret_cast<const U8 *>(slot));
  return bytes != 0 ? bytes : abi::kSlotLongest;
}

void writeAccess(Thread &self, U64 word, U32 id, U64 slot, U64 frame) {
  Writer writer(self, frame);
  if (!writer.hasRoom()) return;
  tellFrames(writer, returnSlotOf(frame));
  tellWindow(writer, id);
  countWork(self);
  noteTouched(abi::wordAddress(word), mostBytes(slot));
  writer.put(word);
}

[[gnu::always_inline]] inline Remembered rememberedAccess(Thread &self, U64 word, U32 id) {
  return remembered(*self.own, word, static_cast<U64>(self.clock) << 32 | id >> abi::kWindowBits);
}

// Entered by a jump, so that the way of an access that was told before saves no registers.
__attribute__((preserve_most, noinline)) Void tellAgain(Ptr address, Ptr access) {
  Thread &self = thread;
  const U64 slot = reinterpret_cast<U64>(access);
  if (address == nullptr || isPruned(access) || !knows(self, slot)) return; // null: a lane that takes no part
  const U32 id = self.accesses.idOf(slot);
  const U64 word = abi::accessWord(reinterpret_cast<U64>(address), id);
  if (context.flags.filter) rememberedAccess(self, word, id).note();
  writeAccess(self, word, id, slot, thisFrame());
}

[[gnu::always_inline]] inline bool wasTold(Ptr address, Ptr access) {
  Thread &self = thread;
  const U64 slot = reinterpret_cast<U64>(access);
  if (!isCurrent(self) || !self.accesses.has(slot)) return false;
  const U32 id = self.accesses.idOf(slot);
  return rememberedAccess(self, abi::accessWord(reinterpret_cast<U64>(address), id), id).wasTold();
}

// The rest is rarer or dearer.
void writeRange(Ptr address, U64 bytes, Ptr access, bool writes, U64 frame) {
  Thread &self = thread;
  const U64 slot = reinterpret_cast<U64>(access);
  if (address == nullptr || bytes == 0 || isPruned(access) || !knows(self, slot)) return;
  const U32 id = self.accesses.idOf(slot);
  Writer writer(self, frame);
  if (!writer.hasRoom()) return;
  tellFrames(writer, returnSlotOf(frame));
  tellParts(self, reinterpret_cast<U64>(address), bytes, !leavesOutRepeats(), [&](U64 begin, U64 length) {
    noteTouched(begin, length);
    noteMeetings(self, begin, length, writes);
    writer.event(EventKind::Range, id, begin, length);
  });
}

// A thread without a ring enters no section either: its number is not its own.
void beginAtomic(Ptr address, Ptr access, U64 frame) {
  Thread &self = thread;
  if (address == nullptr || !knows(self, reinterpret_cast<U64>(access))) return;
  if (self.memory) spotOf(self, reinterpret_cast<U64>(access), frame); // may wait for the reader: not in the section
  enterSection(self, reinterpret_cast<U64>(address));
}

bool releases(Order order) { return order >= Order::Release; }

Order orderOf(U32 info, bool succeeded) {
  const U32 order = succeeded ? info & 0xf : info >> abi::kFailureOrderShift & 0xf;
  return static_cast<Order>(order);
}

// False: there is nobody to tell. `word` lacks the stamp.
bool writeAtomic(Thread &self, U64 object, U32 id, U64 word, U64 frame) {
  Writer writer(self, frame);
  if (!writer.hasRoom()) return false;
  tellFrames(writer, returnSlotOf(frame));
  noteTouched(object, 1);
  writer.event(EventKind::Atomic, id, object, word | abi::atomicWord(takeStamp(object), false, Order::Relaxed));
  return true;
}

// A load again, with nothing but loads in between, brings nothing that the thread did not know: threads that spin.
LoadEntry &loadEntry(Thread &self, U64 object) { return self.own->loads[object / 8 % kLoadEntries]; }

bool wasLoaded(Thread &self, U64 object, U32 access) {
  const LoadEntry &told = loadEntry(self, object);
  return context.flags.filter && told.object == object && told.access == access && told.clock == self.clock &&
         told.version == otherStamps(object);
}

void noteLoad(Thread &self, U64 object, U32 access) {
  ++counterOf(object).loads;
  loadEntry(self, object) = {object, otherStamps(object), access, self.clock};
}

// A piece begins before the event, as what the operation releases is part of it; it meets others' accesses after the event,
// with what it acquired.
void endAtomic(Ptr address, Ptr access, U32 info, U64 frame) {
  Thread &self = thread;
  const U64 object = reinterpret_cast<U64>(address), slot = reinterpret_cast<U64>(access);
  if (address == nullptr || !knows(self, slot)) return;
  const U32 id = self.accesses.idOf(slot);
  const bool succeeded = info >> abi::kSucceededShift & 1;
  const Order order = orderOf(info, succeeded);
  const bool load = !succeeded || (info >> abi::kLoadShift & 1) != 0;
  if (load && wasLoaded(self, object, id)) return leaveSection(self, object);
  const U32 spot = self.memory ? spotOf(self, slot, frame) : 0;
  const bool told = writeAtomic(self, object, id, abi::atomicWord(0, succeeded, order), frame);
  if (told) noteMeetings(self, object, 1, !load);
  if (told && load) noteLoad(self, object, id);
  if (told) orderByAtomic(self, object, {order, load, (info >> abi::kStoreShift & 1) != 0});
  leaveSection(self, object);
  if (spot != 0) touchRange(self, object, slotBytes(slot), spot, load ? 0 : abi::kWrites, frame);
  if (told && !load && releases(order)) endPiece(self);
}

void writeFence(Ptr access, U32 order, U64 frame) {
  Thread &self = thread;
  if (!knows(self, reinterpret_cast<U64>(access))) return;
  Writer writer(self, frame);
  if (!writer.hasRoom()) return;
  tellFrames(writer, returnSlotOf(frame));
  const U64 id = self.accesses.idOf(reinterpret_cast<U64>(access));
  writer.event(EventKind::Fence, id << 8 | order);
  if (releases(static_cast<Order>(order))) endPiece(self);
}

HOOK_CALL Void tellAccess(Ptr address, Ptr access) {
  if (wasTold(address, access)) [[likely]]
    return;
  [[clang::musttail]] return tellAgain(address, access);
}

// Where not all calls are told, nor are all executions of an access in a told one. Each in two conventions (abi/table.h).
[[gnu::always_inline]] inline bool passesOver(Ptr access) {
  const U64 at = reinterpret_cast<U64>(access) - thread.accesses.begin;
  if (at >= thread.accesses.size) [[unlikely]]
    return false;
  SampleState &state = thread.nearSites[at];
  if (state.pause == 0 || state.call != thread.call) return false;
  --state.pause;
  ++thread.passedOver;
  return true;
}

[[gnu::always_inline]] inline void tellTaken(Ptr address, Ptr access, bool writes, U64 frame) {
  Thread &self = thread;
  const U64 slot = reinterpret_cast<U64>(access);
  if (address == nullptr || isPruned(access) || !knows(self, slot)) return; // null: a lane that takes no part
  const U32 id = self.accesses.idOf(slot);
  SampleState &state = siteState(self, slot, returnSlotOf(frame));
  if (leavesOutLone(self, state, id)) return;
  const U64 word = abi::accessWord(reinterpret_cast<U64>(address), id);
  const Remembered entry = rememberedAccess(self, word, id);
  __builtin_prefetch(&entry.entry, 1); // hardly ever near, and needed soon
  if (!takeSite(self, state) || entry.wasTold()) return;
  if (context.flags.filter) entry.note();
  noteMeeting(self, reinterpret_cast<U64>(address), id, writes);
  writeAccess(self, word, id, slot, frame);
}

template <bool writes> [[gnu::noinline]] Void tellTakenFromTold(Ptr address, Ptr access) {
  tellTaken(address, access, writes, thisFrame());
}

template <bool writes> Void tellSampledFromTold(Ptr address, Ptr access) {
  if (passesOver(access)) return;
  [[clang::musttail]] return tellTakenFromTold<writes>(address, access);
}

template <bool writes> __attribute__((preserve_most, noinline)) Void tellTakenFromAny(Ptr address, Ptr access) {
  tellTaken(address, access, writes, thisFrame());
}

template <bool writes> HOOK_CALL Void tellSampled(Ptr address, Ptr access) {
  if (passesOver(access)) return;
  [[clang::musttail]] return tellTakenFromAny<writes>(address, access);
}

template <bool writes> decltype(abi::HookTable::read) accessHook(bool likeC) {
  if (!passesOverAccesses()) return tellAccess;
  return likeC ? likeHook(tellSampledFromTold<writes>) : tellSampled<writes>;
}

template <bool writes> HOOK_CALL Void tellRange(Ptr address, U64 bytes, Ptr access) {
  writeRange(address, bytes, access, writes, thisFrame());
}

HOOK_CALL Void atomic_begin(Ptr address, Ptr access) { beginAtomic(address, access, thisFrame()); }
HOOK_CALL Void atomic_end(Ptr address, Ptr access, U32 info) { endAtomic(address, access, info, thisFrame()); }
HOOK_CALL Void fence(Ptr access, U32 order) { writeFence(access, order, thisFrame()); }

} // namespace

bool knowsAccess(Thread &self, U64 slot) { return knows(self, slot); }

void tellWindow(Writer &writer, U32 id) {
  const U32 window = id >> abi::kWindowBits;
  if (window == writer.self().window) return;
  writer.event(EventKind::Window, window);
  writer.self().window = window;
}

void fillTable(abi::HookTable &table, bool hasBytes) {
  const auto [enter, loop] = samplerHooks(context.flags.sampler);
  const bool likeC = hasBytes && !context.flags.clock; // cost.h has one for all tables
  const auto read = accessHook<false>(likeC), write = accessHook<true>(likeC);
  const auto read_range = tellRange<false>, write_range = tellRange<true>;
#define HOOK(name, result, parameters) table.name = name;
#include "abi/hooks.def"
  if (context.shadow != 0 && hasBytes) fillRemembering(table);
  fillCompared(table);
  fillKnown(table);
  fillTimed(table);
  abi::storeRelease(table.sync, U8(1));
  abi::storeRelease(table.active, U8(context.flags.sampler != abi::Sampler::None));
}

} // namespace deadheat::runtime
