// Order that locks carry because data goes from one critical section to another: a queue, a flag that a condition waits for.
//
// Locks alone order nothing in hard order, so whatever is passed on through a queue looks as if it could race. But a thread that
// read, under a lock, what another wrote under it has followed that one, and in a schedule that turned the sections round it
// would have read something else. Pairs that are ordered so are demoted, not dropped: the value read may not have mattered.
//
// Claim   A read under a lock is after the section of that lock that last wrote the cell, with all that came before it there.
// Differs from weak causal precedence, which is exact where this is a rule of thumb: sections that both only write order
//         nothing here, and a lock whose sections wrote more than kMaxCells stands for all of them at once.
// Cost    One look-up per read and lock held.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "llvm/ADT/DenseMap.h"

#include "detect/locks.h"
#include "detect/order.h"

namespace deadheat::detect {

// The cells that a critical section wrote so far.
using SectionWrites = std::vector<uint64_t>;

class Handover {
public:
  static constexpr size_t kMaxCells = 4096; // of a section, and of all sections of a lock

  const Order &order() const { return order_; }
  Order &order() { return order_; }

  void read(Slot slot, LockId lock, uint64_t cell);
  void endSection(Slot slot, LockId lock, const SectionWrites &writes);

private:
  struct Sections {
    llvm::DenseMap<uint64_t, std::shared_ptr<const Clock>> writers; // by cell: what the last section that wrote it gave
    Clock overflow;                                                 // of sections that are no longer told apart
  };

  Order order_{kHard};
  std::map<LockId, Sections> locks_;
};

} // namespace deadheat::detect
