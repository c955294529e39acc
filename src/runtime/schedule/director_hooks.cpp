#include "runtime/schedule/director_hooks.h"

#include "abi/note.h"
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
  U32 index;    // of the target
  abi::U8 side; // of all targets that are this access
};
struct MarkedCalls {
  U64 begin;
  U64 end;
  abi::U8 side;
  abi::U8 depth;
  bool memory;
  bool isWrite;
};
constexpr U32 kSlotBits = 15;
constexpr U32 kSlots = 1 << kSlotBits;
static_assert(kSlots == 2 * abi::kMaxTargets, "at most half full");
constinit MarkedAccess accesses[kSlots] = {}; // by hash of the slot
constinit MarkedCalls calls[abi::kMaxTargets] = {};
constinit U32 callCount = 0;
constinit bool callersMatter = false;
constinit bool allTold = false;
constinit abi::Control *memoryList = nullptr; // null: they are not listed

// Of the slot, or the free one where it belongs.
MarkedAccess &markedAt(U64 slot) {
  for (U32 probe = static_cast<U32>(slot * 0x9e3779b97f4a7c15 >> (64 - kSlotBits));; ++probe) {
    MarkedAccess &marked = accesses[probe % kSlots];
    if (marked.slot == slot || marked.slot == 0) return marked;
  }
}

// The rest of the byte is the size of the access (abi/note.h).
bool isMarked(Ptr slot) { return (*static_cast<abi::U8 *>(slot) & abi::kSlotMarked) != 0; }

SLOW_PATH void stand(Task &task, Ptr address, U64 bytes, Ptr access, bool isWrite) {
  const MarkedAccess &marked = markedAt(reinterpret_cast<U64>(access));
  if (marked.slot == 0 || !address) return;
  Inside inside;
  const U64 size = bytes != 0 ? bytes : marked.target.size;
  scheduler.count(task, marked.index, reinterpret_cast<U64>(address), size);
  if (marked.side == abi::kWatched) return scheduler.step(task);
  scheduler.reach(task, {.action = Action::Access,
                         .isWrite = isWrite,
                         .side = marked.side,
                         .size = static_cast<U32>(size),
                         .object = reinterpret_cast<U64>(address),
                         .place = abi::kTargetPlace | marked.index});
}

[[gnu::always_inline]] inline void access(Ptr address, U64 bytes, Ptr slot, bool isWrite) {
  Task *task = directed();
  if (!task) [[unlikely]]
    return;
  if (isMarked(slot)) [[unlikely]]
    return stand(*task, address, bytes, slot, isWrite);
  Inside inside;
  scheduler.step(*task);
}

// Shall the function run its instrumented body?
[[gnu::always_inline]] inline bool isTold(Ptr function) {
  Task *task = directed();
  if (!task) [[unlikely]]
    return false;
  Inside inside;
  scheduler.step(*task);
  return allTold || *static_cast<abi::U8 *>(function) != 0;
}

HOOK_CALL Bool enter(Ptr function, Ptr) { return isTold(function); }
HOOK_CALL Bool loop(Ptr function, Ptr) { return isTold(function); }
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
  const MarkedAccess *marked = isMarked(slot) ? &markedAt(reinterpret_cast<U64>(slot)) : nullptr;
  if (marked && marked->slot == 0) marked = nullptr;
  Inside inside;
  const U64 object = reinterpret_cast<U64>(address);
  if (marked) scheduler.count(*task, marked->index, object, marked->target.size);
  scheduler.reach(*task, {.action = Action::Atomic,
                          .isWrite = marked && marked->target.isWrite,
                          .side = static_cast<abi::U8>(marked ? marked->side & ~abi::kWatched : 0),
                          .size = marked ? marked->target.size : 0,
                          .object = object,
                          .place = marked ? abi::kTargetPlace | marked->index : 0});
  scheduler.observe(*task, object);
  scheduler.publish(*task, object);
}

// The return address and those of the callers above it, as far as frame pointers lead. Where the program was compiled without
// them, what is found is chance: it names no line that anybody aims at, or holds back a thread for nothing.
void callersOf(U64 returnAddress, U64 (&places)[abi::kCallDepth]) {
  places[0] = returnAddress;
  U64 found = 0;
  const U64 end = self.stackEnd;
  for (U64 frame = reinterpret_cast<U64>(__builtin_frame_address(0)); frame % 8 == 0 && frame + 16 <= end;) {
    const auto *words = reinterpret_cast<const U64 *>(frame);
    if (found != 0) places[found++] = words[1];
    if (found == 0 && words[1] == returnAddress) found = 1;
    if (found == abi::kCallDepth || words[0] <= frame) return;
    frame = words[0];
  }
}

} // namespace

void markAccess(U64 slot, const abi::Target &target, U32 index) {
  MarkedAccess &marked = markedAt(slot);
  if (marked.slot == 0) marked = {slot, target, index, 0};
  marked.side |= target.side;
  *reinterpret_cast<abi::U8 *>(slot) |= abi::kSlotMarked;
}

void markFunction(U64 slot) {
  if (slot == 0)
    allTold = true;
  else
    *reinterpret_cast<abi::U8 *>(slot) = 1;
}

void markCalls(U64 bias, const abi::Target &target) {
  if (callCount == abi::kMaxTargets) return;
  calls[callCount++] = {bias + target.begin, bias + target.end,  target.side,
                        target.depth,        target.memory != 0, target.isWrite != 0};
  callersMatter |= target.depth != 0;
  memoryCallsMatter |= target.memory != 0;
}

abi::U8 sideOfCall(U64 returnAddress) {
  if (callCount == 0) return 0;
  U64 places[abi::kCallDepth] = {returnAddress};
  if (callersMatter) callersOf(returnAddress, places);
  abi::U8 side = 0;
  for (U32 index = 0; index != callCount; ++index) {
    const U64 place = places[calls[index].depth % abi::kCallDepth];
    if (!calls[index].memory && calls[index].begin <= place && place < calls[index].end) side |= calls[index].side;
  }
  return side;
}

constinit bool memoryCallsMatter = false;

void keepMemoryCalls(abi::Control &control) {
  memoryList = &control;
  memoryCallsMatter = true;
}

bool looksForMemoryCalls(U64 returnAddress) {
  if (memoryList) return true;
  for (U32 index = 0; index != callCount; ++index)
    if (calls[index].memory && calls[index].begin <= returnAddress && returnAddress < calls[index].end) return true;
  return false;
}

static void keepMemoryCall(U64 returnAddress, bool isWrite) {
  const U64 hash = returnAddress * 0x9e3779b97f4a7c15;
  for (U32 probe = 0; probe != 64; ++probe) {
    abi::SeenMemoryCall &kept = memoryList->memoryCalls[((hash >> 51) + probe) % abi::kMaxMemoryCalls];
    if (kept.place != 0 && kept.place != returnAddress) continue;
    kept.place = returnAddress;
    kept.does |= isWrite ? abi::kWrites : abi::kReads;
    return;
  }
}

abi::U8 sideOfMemoryCall(U64 returnAddress, bool isWrite) {
  if (memoryList) keepMemoryCall(returnAddress, isWrite);
  abi::U8 side = 0;
  for (U32 index = 0; index != callCount; ++index) {
    const MarkedCalls &marked = calls[index];
    const bool isHere = marked.memory && marked.begin <= returnAddress && returnAddress < marked.end;
    if (isHere && marked.isWrite == isWrite) side |= marked.side;
  }
  return side;
}

void keepCall(abi::Control &control, U64 returnAddress) {
  abi::SeenCall call = {};
  callersOf(returnAddress, call.places);
  U64 hash = 0;
  for (U64 place : call.places) hash = (hash ^ place) * 0x9e3779b97f4a7c15;
  for (U32 probe = 0; probe != 64; ++probe) {
    abi::SeenCall &kept = control.calls[((hash >> 52) + probe) % abi::kMaxCalls];
    bool same = true;
    for (U32 depth = 0; depth != abi::kCallDepth; ++depth) same &= kept.places[depth] == call.places[depth];
    if (same) return;
    if (kept.places[0] != 0) continue;
    kept = call;
    ++control.callCount;
    return;
  }
}

void fillDirected(abi::HookTable &table) {
  if (table.active) return;
#define HOOK(name, result, parameters) table.name = name;
#include "abi/hooks.def"
  __atomic_store_n(&table.sync, abi::U8(1), __ATOMIC_RELEASE);
  __atomic_store_n(&table.active, abi::U8(1), __ATOMIC_RELEASE);
}

} // namespace deadheat::runtime::schedule
