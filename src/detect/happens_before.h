// Races by happens-before, of one shard of memory.
//
// Claim   An access is reported with an earlier one if and only if some earlier access to one of its bytes conflicts with it
//         and is not before it. (Which earlier one, where several are: one that stands for them, see below.)
// Assumes clocks as order.h makes them.
// Differs FastTrack keeps one epoch for the last write, exact until the first race of a location, and a vector clock for
//         reads. Here a cell keeps the set of accesses that no newer one stands for, which is one epoch as long as there is
//         no race and no sharing, and stays exact after a race, for atomics beside plain accesses, and for parts of a cell.
//         An access stands for an older one if that is before it and whatever conflicts with the older conflicts with it.
// Cost    Constant for data of one thread or behind one lock; linear in the readers for what many threads read.
// Misses  What the shadow had to forget (shadow.h).
#pragma once

#include "llvm/ADT/SmallVector.h"

#include "detect/races.h"
#include "detect/shadow.h"

namespace deadheat::detect {

class HappensBefore {
public:
  HappensBefore(size_t maxPages, size_t shard) : shadow_(maxPages, shard) {}

  void apply(const MemoryAccess &access);

  RaceTable &races() { return races_; }
  uint64_t evicted() const { return shadow_.evicted(); }

private:
  using Cell = llvm::SmallVector<Entry, 1>;

  void forget(const MemoryAccess &access, uint64_t end);
  void touch(Cell &cell, uint64_t address, const MemoryAccess &access, Tick now);
  void report(const Cell &cell, uint64_t address, uint8_t mask, const MemoryAccess &access);

  Shadow<Cell> shadow_;
  RaceTable races_;
};

} // namespace deadheat::detect
