#include "runtime/hooks.h"

#include "runtime/compare.h"
#include "runtime/cost.h"
#include "runtime/frames.h"
#include "runtime/loads.h"
#include "runtime/objects.h"
#include "runtime/sampler.h"
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
  if (!tells(self) || !findObject(slot, object) || !object.accesses.has(slot)) return false;
  if (!prepareSites(self, object.accesses)) return false;
  self.accesses = object.accesses;
  return true;
}

[[gnu::always_inline]] inline bool knows(Thread &self, U64 slot) {
  return (isCurrent(self) && self.accesses.has(slot)) || prepareAccess(self, slot);
}

// By a product: the few accesses of a loop must not share the entries of the addresses that it runs over.
[[gnu::always_inline]] inline FilterEntry &filterEntry(Thread &self, const FilterEntry &wanted) {
  return self.own->filter[wanted.word * 0x9e3779b97f4a7c15 >> (64 - kFilterBits)];
}

void writeAccess(Thread &self, U64 word, U32 id, U64 frame) {
  Writer writer(self, frame);
  if (!writer.hasRoom()) return;
  tellFrames(writer, returnSlotOf(frame));
  tellWindow(writer, id);
  noteTouched(abi::wordAddress(word), kLineBytes);
  writer.put(word);
}

[[gnu::always_inline]] inline FilterEntry wanted(const Thread &self, Ptr address, U32 id) {
  return {abi::accessWord(reinterpret_cast<U64>(address), id),
          static_cast<U64>(self.clock) << 32 | id >> abi::kWindowBits};
}

// Entered by a jump, so that the way of an access that was told before saves no registers.
__attribute__((preserve_most, noinline)) Void tellAgain(Ptr address, Ptr access) {
  Thread &self = thread;
  const U64 slot = reinterpret_cast<U64>(access);
  if (address == nullptr || !knows(self, slot)) return; // null: a lane that takes no part
  const U32 id = self.accesses.idOf(slot);
  const FilterEntry entry = wanted(self, address, id);
  if (context.flags.filter) filterEntry(self, entry) = entry;
  writeAccess(self, entry.word, id, thisFrame());
}

[[gnu::always_inline]] inline bool wasTold(Ptr address, Ptr access) {
  Thread &self = thread;
  const U64 slot = reinterpret_cast<U64>(access);
  if (!isCurrent(self) || !self.accesses.has(slot)) return false;
  const U32 id = self.accesses.idOf(slot);
  const FilterEntry entry = wanted(self, address, id);
  const FilterEntry &told = filterEntry(self, entry);
  return told.word == entry.word && told.when == entry.when;
}

// The rest is rarer or dearer.
void writeRange(Ptr address, U64 bytes, Ptr access, U64 frame) {
  Thread &self = thread;
  const U64 slot = reinterpret_cast<U64>(access);
  if (address == nullptr || bytes == 0 || !knows(self, slot)) return;
  const U32 id = self.accesses.idOf(slot);
  Writer writer(self, frame);
  if (!writer.hasRoom()) return;
  tellFrames(writer, returnSlotOf(frame));
  noteTouched(reinterpret_cast<U64>(address), bytes);
  writer.event(EventKind::Range, id, reinterpret_cast<U64>(address), bytes);
}

// A thread without a ring enters no section either: its number is not its own.
void beginAtomic(Ptr address, Ptr access) {
  Thread &self = thread;
  if (address == nullptr || !knows(self, reinterpret_cast<U64>(access))) return;
  enterSection(self, reinterpret_cast<U64>(address));
}

bool releases(Order order) { return order >= Order::Release; }

Order orderOf(U32 info, bool succeeded) {
  const U32 order = succeeded ? info & 0xf : info >> abi::kFailureOrderShift & 0xf;
  return static_cast<Order>(order);
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

void endAtomic(Ptr address, Ptr access, U32 info, U64 frame) {
  Thread &self = thread;
  const U64 object = reinterpret_cast<U64>(address);
  if (address == nullptr || !knows(self, reinterpret_cast<U64>(access))) return;
  const U32 id = self.accesses.idOf(reinterpret_cast<U64>(access));
  const bool succeeded = info >> abi::kSucceededShift & 1;
  const Order order = orderOf(info, succeeded);
  const bool load = !succeeded || (info >> abi::kLoadShift & 1) != 0;
  if (!load || !wasLoaded(self, object, id)) {
    Writer writer(self, frame);
    if (writer.hasRoom()) {
      tellFrames(writer, returnSlotOf(frame));
      noteTouched(object, 1);
      writer.event(EventKind::Atomic, id, object, abi::atomicWord(takeStamp(object), succeeded, order));
      if (load)
        noteLoad(self, object, id);
      else if (releases(order))
        ++self.clock;
    }
  }
  leaveSection(self, object);
}

void writeFence(Ptr access, U32 order, U64 frame) {
  Thread &self = thread;
  if (!knows(self, reinterpret_cast<U64>(access))) return;
  Writer writer(self, frame);
  if (!writer.hasRoom()) return;
  tellFrames(writer, returnSlotOf(frame));
  const U64 id = self.accesses.idOf(reinterpret_cast<U64>(access));
  writer.event(EventKind::Fence, id << 8 | order);
  if (releases(static_cast<Order>(order))) ++self.clock;
}

HOOK_CALL Void tellAccess(Ptr address, Ptr access) {
  if (wasTold(address, access)) [[likely]]
    return;
  [[clang::musttail]] return tellAgain(address, access);
}

__attribute__((preserve_most, noinline)) Void tellTaken(Ptr address, Ptr access) {
  const U64 slot = reinterpret_cast<U64>(access);
  if (address == nullptr || !knows(thread, slot) || !takeSite(thread, slot)) return;
  [[clang::musttail]] return tellAccess(address, access);
}

// Where not all calls are told, nor are all executions of an access in a told one.
HOOK_CALL Void tellSampled(Ptr address, Ptr access) {
  const U64 at = reinterpret_cast<U64>(access) - thread.accesses.begin;
  if (at < thread.accesses.size) [[likely]] {
    SampleState &state = thread.nearSites[at];
    if (state.pause != 0 && state.began == thread.call) {
      --state.pause;
      return;
    }
  }
  [[clang::musttail]] return tellTaken(address, access);
}

HOOK_CALL Void read_range(Ptr address, U64 bytes, Ptr access) { writeRange(address, bytes, access, thisFrame()); }
HOOK_CALL Void write_range(Ptr address, U64 bytes, Ptr access) { writeRange(address, bytes, access, thisFrame()); }
HOOK_CALL Void atomic_begin(Ptr address, Ptr access) { beginAtomic(address, access); }
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

void fillTable(abi::HookTable &table) {
  const auto [enter, loop] = samplerHooks(context.flags.sampler);
  const auto read = passesOverAccesses() ? tellSampled : tellAccess;
  const auto write = read;
#define HOOK(name, result, parameters) table.name = name;
#include "abi/hooks.def"
  fillCompared(table);
  fillLoads(table);
  fillTimed(table);
  abi::storeRelease(table.sync, U8(1));
  abi::storeRelease(table.active, U8(context.flags.sampler != abi::Sampler::None));
}

} // namespace deadheat::runtime
