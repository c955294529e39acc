#include "runtime/loads.h"

#include "runtime/repeats.h"
#include "runtime/slots.h"

#define HOOK_CALL __attribute__((preserve_most))

namespace deadheat::runtime {
namespace {

using abi::Ptr;
using abi::Void;

struct Behind {
  decltype(abi::HookTable::atomic_begin) begin;
  decltype(abi::HookTable::atomic_end) end;
};

Behind behind = {}; // the same for all tables

LastLoad &entryOf(Thread &self, U64 object) {
  return self.own->lastLoads[(object >> 3) * 0x9e3779b97f4a7c15 >> (64 - kLastLoadBits)];
}

bool isUnchanged(Thread &self, U64 object) {
  const LastLoad &entry = entryOf(self, object);
  return entry.object == object && entry.mark == __atomic_load_n(&lastMark(object), __ATOMIC_ACQUIRE);
}

bool isReady(const Thread &self) { return isCurrent(self) && self.ring && !self.ended; }

HOOK_CALL Void beginAtomic(Ptr address, Ptr access) {
  Thread &self = thread;
  const U64 object = reinterpret_cast<U64>(address);
  const bool load = hasNote(access, SlotNote::Load);
  if (load && isReady(self) && isUnchanged(self, object)) {
    self.passed = object;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    return;
  }
  behind.begin(address, access);
  if (!load && address) __atomic_store_n(&lastMark(object), kBusyMark, __ATOMIC_SEQ_CST);
}

void endTold(Thread &self, U64 object, bool load) {
  if (!load) return __atomic_store_n(&lastMark(object), newMark(self), __ATOMIC_RELEASE);
  const U64 mark = abi::loadRelaxed(lastMark(object));
  entryOf(self, object) = mark == kBusyMark ? LastLoad{} : LastLoad{object, mark};
}

HOOK_CALL Void endAtomic(Ptr address, Ptr access, U32 info) {
  Thread &self = thread;
  const U64 object = reinterpret_cast<U64>(address);
  const bool load = (info >> abi::kLoadShift & 1) != 0;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (object != 0 && self.passed == object) {
    self.passed = 0;
    if (isUnchanged(self, object)) [[likely]]
      return;
    behind.begin(address, access); // it may have read what was written meanwhile, and is after it
  }
  if (load && !hasNote(access, SlotNote::Load)) {
    if (object != 0) abi::storeRelaxed(lastMark(object), newMark(self)); // it was taken for a store
    addNote(access, SlotNote::Load);
  }
  if (object != 0 && isReady(self)) endTold(self, object, load);
  [[clang::musttail]] return behind.end(address, access, info);
}

} // namespace

void fillLoads(abi::HookTable &table) {
  if (!leavesOutRepeats()) return;
  behind = {table.atomic_begin, table.atomic_end};
  table.atomic_begin = beginAtomic;
  table.atomic_end = endAtomic;
}

} // namespace deadheat::runtime
