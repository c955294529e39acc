#include "runtime/ordered.h"

#include <linux/mman.h>

namespace deadheat::runtime {
namespace {

using abi::Gift;
using abi::Order;

// By block and piece.
constinit U32 *pieceLocks = nullptr;

constexpr U64 kLocksBytes = (U64(1) << (32 - abi::kDeedBits)) * sizeof(U32);

// No object has such an address.
U64 endOf(U32 thread) { return U64(1) << 62 | static_cast<U64>(thread) * 8; }

bool counts(const Thread &self) { return self.memory && (self.ignored.sync | self.ignored.inLock) == 0; }

void give(const Thread &self, U64 object, Gift gift) {
  const Memory &memory = *self.memory;
  context.page->clocks.give(memory.order, {memory.owner, memory.piece + 1}, object, gift);
}

void take(const Thread &self, U64 object) { context.page->clocks.take(self.memory->order, object); }

bool acquires(Order order) { return order != Order::Relaxed && order != Order::Release; }
bool releases(Order order) { return order >= Order::Release; }

U64 weightOf(U64 object) { return (object ^ object >> 29) * 0x9e3779b97f4a7c15; }

} // namespace

bool mapLocks() {
  pieceLocks = static_cast<U32 *>(reserveBytes(kLocksBytes));
  return pieceLocks != nullptr;
}

void noteLocks(Cell piece, U64 held) { abi::storeRelaxed(pieceLocks[piece >> abi::kDeedBits], lockMark(held)); }

U32 locksOf(Cell cell) { return abi::loadRelaxed(pieceLocks[cell >> abi::kDeedBits]); }

void noteLockTaken(Thread &self, U64 object, U8 flags) {
  if (!counts(self) || flags & abi::kRecursive) return;
  if (!(flags & abi::kShared)) self.held += weightOf(object);
  take(self, object);
}

void noteLockLeft(Thread &self, U64 object, U8 flags) {
  if (!counts(self) || flags & (abi::kRecursive | abi::kShared)) return;
  self.held -= weightOf(object);
  give(self, object, Gift::Lock);
}

void noteMessageTaken(Thread &self, U64 object) {
  if (counts(self)) take(self, object);
}

void noteMessageGiven(Thread &self, U64 object) {
  if (counts(self)) give(self, object, Gift::Message);
}

void orderByAtomic(Thread &self, U64 object, const AtomicDeed &deed) {
  if (!counts(self)) return;
  if (!deed.store && acquires(deed.order)) take(self, object);
  if (deed.load) return;
  if (releases(deed.order))
    give(self, object, deed.store ? Gift::Value : Gift::Message);
  else if (deed.store)
    context.page->clocks.clear(object);
}

void giveToJoiner(Thread &self) { give(self, endOf(self.number), Gift::Message); }

void learnFromThread(Thread &self, U32 ended) {
  take(self, endOf(ended));
  context.page->clocks.clear(endOf(ended));
}

} // namespace deadheat::runtime
