#include "runtime/hooks.h"

#include "runtime/context.h"

#define HOOK_CALL __attribute__((preserve_most))
#define SLOW_PATH __attribute__((preserve_most, noinline, cold))

namespace deadheat::runtime {

constinit thread_local Thread thread = {};

namespace {

constexpr int kYields = 100;
constexpr int kSleeps = 400;
constexpr long kSleepNanoseconds = 50000;

abi::Ring *claimRing() {
  abi::Arena &arena = *context.arena;
  const U64 owner = abi::makeOwner(systemCall(__NR_getpid), systemCall(__NR_gettid));
  U32 index = abi::kMaxRings;
  for (int tries = 0; tries != kYields && index == abi::kMaxRings; ++tries) {
    index = abi::claimRing(arena.claims, owner);
    if (index == abi::kMaxRings) systemCall(__NR_sched_yield);
  }
  if (index == abi::kMaxRings) return nullptr;
  // A full file system would turn the first touch of a page into SIGBUS; asking beforehand turns it into an error. Only
  // a kernel that does not know the request (EINVAL) leaves us to hope.
  constexpr int kPopulateWrite = 23;
  constexpr long kUnknownRequest = -22;
  abi::Ring &ring = arena.rings[index];
  const long populated = systemCall(__NR_madvise, &ring, sizeof(ring), kPopulateWrite);
  if (isError(populated) && populated != kUnknownRequest) {
    abi::storeRelease(arena.claims[index].owner, U64(0));
    return nullptr;
  }
  ring.process = static_cast<U32>(context.page->epoch >> 32);
  abi::storeRelease(arena.claims[index].ticket, abi::fetchAdd(arena.header.tickets, U64(1)) + 1);
  return &ring;
}

// The process or its objects changed since this thread last looked.
void renew(Thread &self, U64 epoch) {
  const bool sameProcess = self.epoch >> 32 == epoch >> 32;
  self.range = {};
  self.epoch = epoch;
  if (sameProcess) return;
  self.stuckTail = 0;
  self.ring = context.page->refused ? nullptr : claimRing();
  if (!self.ring && !context.page->refused) abi::fetchAdd(context.arena->header.refusedThreads, 1u);
}

bool findRange(U64 slot, Range &found) {
  constexpr int kTries = 100;
  for (int tries = 0; tries != kTries; ++tries) {
    const U32 version = abi::loadAcquire(context.rangeVersion);
    found = {};
    for (U32 index = 0; index != context.rangeCount; ++index)
      if (slot - context.ranges[index].begin < context.ranges[index].size) found = context.ranges[index];
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (version % 2 == 0 && abi::loadRelaxed(context.rangeVersion) == version) return slot - found.begin < found.size;
  }
  found = {};
  return false;
}

SLOW_PATH bool prepare(Thread &self, U64 slot) {
  if (abi::loadAcquire(context.page->epoch) == 0) enterProcess();
  const U64 epoch = abi::loadAcquire(context.page->epoch);
  if (self.epoch != epoch) renew(self, epoch);
  return self.ring && findRange(slot, self.range);
}

SLOW_PATH void skip(Thread &self) {
  if (self.ring) ++self.ring->skipped;
}

void waitForRoom(Thread &self) {
  abi::Ring &ring = *self.ring;
  const U64 tail = abi::loadAcquire(ring.tail);
  if (self.stuckTail == tail + 1) return;
  for (int tries = 0; tries != kYields + kSleeps; ++tries) {
    if (!abi::isFull(ring) || abi::loadRelaxed(context.arena->header.closed)) return;
    const long pause[2] = {0, kSleepNanoseconds};
    if (tries < kYields)
      systemCall(__NR_sched_yield);
    else
      systemCall(__NR_nanosleep, pause, nullptr);
  }
  self.stuckTail = tail + 1;
}

SLOW_PATH void replace(Thread &self, U32 id) {
  if (abi::isFull(*self.ring)) waitForRoom(self);
  abi::replaceInCache(*self.ring, id);
}

// A signal handler may interrupt a hook and run hooks of its own: they lie deeper in the stack and are skipped. A hook
// that was left by longjmp is not deeper than the next one, so its mark does not outlive it. A handler on a stack of
// its own may lie higher and count in the midst of another: at worst one record is lost.
[[gnu::always_inline]] inline void countExecution(void *access) {
  Thread &self = thread;
  const U64 frame = reinterpret_cast<U64>(__builtin_frame_address(0));
  if (self.busy > frame) [[unlikely]]
    return skip(self);
  self.busy = frame;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  const U64 slot = reinterpret_cast<U64>(access);
  const bool known = self.epoch == abi::loadRelaxed(context.page->epoch) && slot - self.range.begin < self.range.size;
  if (known || prepare(self, slot)) [[likely]] {
    const U32 id = self.range.base + static_cast<U32>(slot - self.range.begin);
    if (!abi::countInCache(*self.ring, id)) [[unlikely]]
      replace(self, id);
  }
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  self.busy = 0;
}

[[gnu::always_inline]] inline bool decide() {
  if (abi::loadRelaxed(context.arena->header.closed)) return false;
  if (context.flags.bodies == Bodies::Flip) return thread.plain = !thread.plain, !thread.plain;
  return context.flags.bodies == Bodies::All;
}

using abi::Bool;
using abi::Ptr;
using abi::Void;

HOOK_CALL Bool enter(Ptr, Ptr) { return decide(); }
HOOK_CALL Bool loop(Ptr, Ptr) { return decide(); }
HOOK_CALL Void read(Ptr, Ptr access) { countExecution(access); }
HOOK_CALL Void write(Ptr, Ptr access) { countExecution(access); }
HOOK_CALL Void read_range(Ptr, U64, Ptr access) { countExecution(access); }
HOOK_CALL Void write_range(Ptr, U64, Ptr access) { countExecution(access); }
HOOK_CALL Void atomic_begin(Ptr, Ptr access) { countExecution(access); }
HOOK_CALL Void atomic_end(Ptr, Ptr, U32) {}
HOOK_CALL Void fence(Ptr access, U32) { countExecution(access); }

} // namespace

void fillTable(abi::HookTable &table) {
#define HOOK(name, result, parameters) table.name = name;
#include "abi/hooks.def"
  abi::storeRelease(table.sync, U8(1));
  abi::storeRelease(table.active, U8(1));
}

} // namespace deadheat::runtime
