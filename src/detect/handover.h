// Order that locks carry because data goes from one critical section to another: a queue, a flag that a condition waits for.
//
// Locks alone order nothing in hard order, so whatever is passed on through a queue looks as if it could race. But a thread that
// read, under a lock, what another wrote under it has followed that one, and in a schedule that turned the sections round it
// would have read something else. Pairs that are ordered so are demoted, not dropped: the value read may not have mattered. Who only counts
// (`++hits`) has read nothing that mattered, and follows nobody (docs/design/0119).
//
// Less holds the other way round. A thread that writes, under a lock, what another had read under it has overtaken that one's section: turned
// round, the other would have read something else, and perhaps have gone elsewhere (a buffer that is taken out of use, a node that is
// taken out of its list). So the writer is after what the other did in sections, but not after what it did without a lock before.
//
// Claim   A read under a lock is after the section of that lock that last wrote the cell, with all that came before it there. A write
//         overtakes the sections that read the cell since.
// Differs from weak causal precedence, which is exact where this is a rule of thumb: sections that both only write order
//         nothing here, and a lock whose sections wrote more than kMaxCells stands for all of them at once.
// Cost    One look-up per access and lock held.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "llvm/ADT/DenseMap.h"

#include "detect/locks.h"
#include "detect/order.h"

namespace deadheat::detect {

// The cells that a critical section read and wrote so far.
struct SectionCells {
  std::vector<uint64_t> read;
  std::vector<uint64_t> written;
};

class Handover {
public:
  static constexpr size_t kMaxCells = 4096; // of a section, and of all sections of a lock

  const Order &order() const { return order_; }
  Order &order() { return order_; }

  // What the thread of `later` does now is after what that of `earlier` did at that tick, by what critical sections tell.
  bool isOver(Slot later, Slot earlier, Tick tick, bool inSection) const {
    return tick <= order_.clock(later)[earlier] || (inSection && tick <= overtaken(later).clock[earlier]);
  }

  // The sections that a thread overtook.
  struct Overtaken {
    Clock clock;
    uint64_t version = 0; // changes when the clock does
  };
  const Overtaken &overtaken(Slot slot) const;
  void overtake(Slot slot, const Clock &sections);
  void start(Slot slot); // another thread has it

  void read(Slot slot, LockId lock, uint64_t cell);
  void write(Slot slot, LockId lock, uint64_t cell);
  void endSection(Slot slot, LockId lock, const SectionCells &cells);

private:
  // By cell: what the last section that wrote it gave, and those that read it since. One for all: of sections that are no longer told apart.
  struct Sections {
    llvm::DenseMap<uint64_t, std::shared_ptr<const Clock>> writers;
    llvm::DenseMap<uint64_t, std::shared_ptr<Clock>> readers;
    Clock allWriters, allReaders;
  };

  Order order_{kHard};
  std::vector<Overtaken> overtaken_; // by slot
  std::map<LockId, Sections> locks_;
};

} // namespace deadheat::detect
