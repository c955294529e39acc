#include "runtime/schedule/director_hooks.h"

#include "runtime/schedule/director.h"

#define HOOK_CALL __attribute__((preserve_most))
#define SLOW_PATH __attribute__((preserve_most, noinline, cold))

namespace deadheat::runtime::schedule {

namespace {

using abi::Bool;
using abi::Ptr;
using abi::Void;

struct MarkedAccess {
  U64 slot;
  abi::Target target;
  U32 index; // of the target
};
struct MarkedCalls {
  U64 begin;
  U64 end;
  abi::U8 side;
};
constinit MarkedAccess accesses[abi::kMaxTargets] = {};
constinit MarkedCalls calls[abi::kMaxTargets] = {};
constinit U32 accessCount = 0;
constinit U32 callCount = 0;

const MarkedAccess *markedAt(U64 slot) {
  for (U32 index = 0; index != accessCount; ++index)
    if (accesses[index].slot == slot) return &accesses[index];
  return nullptr;
}

SLOW_PATH void stand(Task &task, Ptr address, U64 bytes, Ptr access, bool isWrite) {
  const U64 slot = reinterpret_cast<U64>(access);
  const MarkedAccess *marked = markedAt(slot);
  if (!marked || !address) return;
  Inside inside;
  scheduler.reach(task, {.action = Action::Access,
                         .isWrite = isWrite,
                         .side = *static_cast<abi::U8 *>(access),
                         .size = static_cast<U32>(bytes != 0 ? bytes : marked->target.size),
                         .object = reinterpret_cast<U64>(address),
                         .place = abi::kTargetPlace | marked->index});
}

[[gnu::always_inline]] inline void access(Ptr address, U64 bytes, Ptr slot, bool isWrite) {
  Task *task = directed();
  if (!task) [[unlikely]]
    return;
  if (*static_cast<abi::U8 *>(slot) != 0) [[unlikely]]
    return stand(*task, address, bytes, slot, isWrite);
  Inside inside;
  scheduler.step(*task);
}

HOOK_CALL Bool enter(Ptr, Ptr) { return true; }
HOOK_CALL Bool loop(Ptr, Ptr) { return true; }
HOOK_CALL Void read(Ptr address, Ptr slot) { access(address, 0, slot, false); }
HOOK_CALL Void write(Ptr address, Ptr slot) { access(address, 0, slot, true); }
HOOK_CALL Void read_range(Ptr address, U64 bytes, Ptr slot) { access(address, bytes, slot, false); }
HOOK_CALL Void write_range(Ptr address, U64 bytes, Ptr slot) { access(address, bytes, slot, true); }
HOOK_CALL Void fence(Ptr, U32) {}
HOOK_CALL Void atomic_end(Ptr, Ptr, U32) {}

// A synchronisation: others may go first, target or not.
HOOK_CALL Void atomic_begin(Ptr address, Ptr slot) {
  Task *task = directed();
  if (!task) return;
  const abi::U8 side = *static_cast<abi::U8 *>(slot);
  const MarkedAccess *marked = side != 0 ? markedAt(reinterpret_cast<U64>(slot)) : nullptr;
  Inside inside;
  scheduler.reach(*task, {.action = Action::Atomic,
                          .isWrite = marked && marked->target.isWrite,
                          .side = side,
                          .size = marked ? marked->target.size : 0,
                          .object = reinterpret_cast<U64>(address),
                          .place = marked ? abi::kTargetPlace | marked->index : 0});
}

} // namespace

void markAccess(U64 slot, const abi::Target &target, U32 index) {
  if (accessCount == abi::kMaxTargets) return;
  accesses[accessCount++] = {slot, target, index};
  *reinterpret_cast<abi::U8 *>(slot) |= target.side;
}

void markCalls(U64 bias, const abi::Target &target) {
  if (callCount != abi::kMaxTargets) calls[callCount++] = {bias + target.begin, bias + target.end, target.side};
}

abi::U8 sideOfCall(U64 returnAddress) {
  for (U32 index = 0; index != callCount; ++index)
    if (calls[index].begin <= returnAddress && returnAddress < calls[index].end) return calls[index].side;
  return 0;
}

void fillDirected(abi::HookTable &table) {
  if (table.active) return;
#define HOOK(name, result, parameters) table.name = name;
#include "abi/hooks.def"
  __atomic_store_n(&table.sync, abi::U8(1), __ATOMIC_RELEASE);
  __atomic_store_n(&table.active, abi::U8(1), __ATOMIC_RELEASE);
}

} // namespace deadheat::runtime::schedule
