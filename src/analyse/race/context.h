// In which circumstances a thread enters a function: which threads it has started by then, and which locks its callers
// hold for it on every way down from the thread's entry that comes with those threads.
//
// Code that runs alone at first and under a lock later is so told apart from code that forgets the lock.
//
// Cost    callers before callees, so that a function is mostly entered for good; each of at most kMaxPhases sets of live
//         threads is followed on its own. Locks of calls are named once for all crews.
#pragma once

#include <vector>

#include "llvm/ADT/DenseMap.h"

#include "analyse/race/world.h"

namespace deadheat::analyse {

inline constexpr size_t kMaxPhases = 16; // sets of live threads with which one function is entered; more are one

struct Context {
  uint32_t live = 0; // of World::liveSets
  HeldLocks held;
  bool isWaiting = false; // to be followed into callees
};

// The locks that functions take for their calls, in the names of the world, as far as they are the same for everybody.
class CallLocks {
public:
  explicit CallLocks(World &world);
  // [call of its summary]
  const std::vector<HeldLocks> &of(link::FuncId function);
  // Its body is looked at.
  bool isFollowed(link::FuncId function) const { return isFollowed_[function.value()]; }

private:
  World &world_;
  llvm::DenseMap<uint32_t, std::vector<HeldLocks>> known_; // [function]
  std::vector<bool> isFollowed_;                           // [function]
};

// For one crew; functions that it does not reach are missing.
using Contexts = llvm::DenseMap<uint32_t, std::vector<Context>>; // [function]

Contexts contextsOf(World &world, CallLocks &locks, const std::vector<link::ThreadId> &crew);

// Threads that are live at a statement of a function that was entered with `live`.
uint32_t liveAt(World &world, link::FuncId function, model::StatementId statement, uint32_t live);

// Without those that `released`, in the function's own names, may mean.
HeldLocks withoutReleased(const World &world, const HeldLocks &held, link::FuncId function,
                          const std::vector<Address> &released);

// Adds locks; one that is there already is held in the stronger of both modes.
void hold(HeldLocks &all, const HeldLocks &more);

} // namespace deadheat::analyse
