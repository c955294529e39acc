// Races that another schedule may show, of one shard of memory: RaceFuzzer's phase 1 (O'Callahan and Choi's hybrid).
//
// Claim   Two accesses are reported if they touch a common byte, one writes, not both are atomic, different threads made
//         them, no lock protects both, and hard order (order.h) leaves them unordered.
//         Each says whether data handed over under a lock orders it after all (handover.h).
// Assumes a lock protects two accesses unless both hold it as readers.
// Differs from the paper in what counts as a message: see order.h. Where accesses of one thread differ only in that the
//         older held fewer locks, the older one stands for both.
// Cost    At most kMaxEntries comparisons for a cell.
// Misses  What the oldest of more than kMaxEntries different accesses to a cell would have met.
#pragma once

#include "llvm/ADT/SmallVector.h"

#include "detect/races.h"
#include "detect/shadow.h"

namespace deadheat::detect {

class Hybrid {
public:
  static constexpr size_t kMaxEntries = 16;

  Hybrid(size_t maxPages, size_t shard, const LockSetTable &locks, const WhereTable &places)
      : shadow_(maxPages, shard), locks_(locks), places_(places) {}

  void apply(const MemoryAccess &access);

  RaceTable &races() { return races_; }
  uint64_t evicted() const { return shadow_.evicted(); }
  uint64_t forgotten() const { return forgotten_; } // entries that a full cell dropped

private:
  struct Remembered : Entry {
    Tick handed = 0; // its tick in the order of what critical sections hand over
  };
  using Cell = llvm::SmallVector<Remembered, 1>;

  void touch(Cell &cell, uint64_t address, const MemoryAccess &access);
  void report(const Cell &cell, uint64_t address, uint8_t mask, const MemoryAccess &access);
  bool isOver(const Remembered &entry, const MemoryAccess &access) const;
  bool outdated(const Entry &entry, const MemoryAccess &access) const;
  bool standsFor(const Remembered &entry, const MemoryAccess &access, uint8_t mask) const;

  Shadow<Cell> shadow_;
  RaceTable races_;
  const LockSetTable &locks_;
  const WhereTable &places_;
  uint64_t forgotten_ = 0;
};

} // namespace deadheat::detect
