// The order in which threads take locks while they hold others, and the cycles in it: candidates for deadlock.
//
// Claim   Each cycle is made of acquisitions seen in this execution, by different threads, each waiting for a lock that the
//         next one holds; no lock guards two of them (a gate), no reader waits for a reader, none is ordered with another
//         by hard order. For every acquisition in some cycle a shortest one through it is given. Apart from these: two
//         locks that one thread took in both orders, where no cycle of several threads has either acquisition. It cannot wait for
//         itself, but another thread that runs the same code could wait for it; whether there is one the caller knows.
// Assumes locks as LockTable tells them apart. An acquisition that does not wait (tried) closes no cycle, but holds.
// Cost    One look-up per lock already held; the search is bounded by kMaxSteps and says when it stopped there.
// Misses  Locks that are handed from thread to thread; more than kMaxWitnesses ways to take one lock under another.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "llvm/ADT/DenseSet.h"

#include "detect/clock.h"
#include "detect/locks.h"

namespace deadheat::detect {

// One acquisition of `wants` while `holds` was held.
struct LockEdge {
  LockId holds;
  LockId wants;
  bool holdsShared = false;
  bool wantsShared = false;
  trace::ThreadNumber thread;
  LockSetId held; // all that the thread held
  StackId stack;
  uint64_t place = 0;     // return address of the acquisition
  uint64_t heldPlace = 0; // of that of `holds`
  Slot slot = 0;
  std::shared_ptr<const Clock> hard; // hard order then
};

using LockCycle = std::vector<LockEdge>;

class LockOrder {
public:
  static constexpr size_t kMaxWitnesses = 16;
  static constexpr uint64_t kMaxSteps = 2'000'000;

  explicit LockOrder(const LockSetTable &sets) : sets_(sets) {}

  // Whether such an edge was added before: a look that is cheaper than to make the edge.
  bool knows(const LockEdge &edge);
  void add(LockEdge edge);
  std::vector<LockCycle> cycles() const;
  // Of one thread each; `known`: what cycles() gave.
  std::vector<LockCycle> ofOneThread(const std::vector<LockCycle> &known) const;
  bool searchWasCut() const { return cut_; }

private:
  struct Search;
  using Edges = std::vector<const LockEdge *>;

  bool fit(const LockEdge &left, const LockEdge &right) const;
  bool follows(const LockEdge &edge, const LockEdge &next) const;
  bool extend(Search &search, size_t length) const;

  const LockSetTable &sets_;
  std::map<std::pair<LockId, LockId>, std::vector<LockEdge>> edges_;
  llvm::DenseSet<uint64_t> seen_; // hashes of edges that were added, or not wanted
  mutable bool cut_ = false;
};

} // namespace deadheat::detect
