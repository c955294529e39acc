// Whose handles a join may get.
//
// Claim   of(site) holds threads that the call ends when it returns, or that its loop ends when the loop is left; none where
//         it may get a handle that is not known.
// Assumes a loop that joins handles of an array joins all threads whose handles that array got. Where points-to mixes
//         handles with other things, a handle that is kept under a name (`w->thread`, `pool->threads[i]`) is joined by who
//         joins what has that name and may be the same memory; in the same function, also one without (`*threads`). What one thread
//         alone puts into a variable as its own handle (`pthread_self`), and nobody else puts a handle into, is that thread's.
// Cost    per join, linear in the starts of the program.
#pragma once

#include "llvm/ADT/SparseBitVector.h"

#include "link/thread_finder.h"

namespace deadheat::link {

using ThreadBits = llvm::SparseBitVector<>;

// `x->pool->threads[i]`: `threads[]`. Empty: no name.
std::string lastMember(std::string_view words);

// What joins, itself or for its caller; null: it does not.
const knowledge::Row *joinOf(const ThreadInput &input, FuncId callee);

class Joins {
public:
  Joins(const ThreadInput &input, const FoundThreads &found) : input_(input), found_(found) {}

  ThreadBits of(CallSiteId site, const knowledge::Row &row) const;
  // What the join gets; none: it has no such argument.
  model::Operand handleOf(CallSiteId site, const knowledge::Row &row) const;
  // See moved_handles.h.
  bool isMovedAway(CallSiteId site, const knowledge::Row &row) const;
  // Each round of a loop, or each call of the function, starts one such thread and joins it.
  bool isOnePerRound(CallSiteId site, model::Operand handle, const ThreadBits &joined) const;
  // Threads whose start wrote the handle there.
  ThreadBits startedInto(Location handle) const;
  // What the join ends of those that the same call of its function has started.
  ThreadBits ofCall(CallSiteId site, const knowledge::Row &row) const;
  // What a loop around the join ends of those that belong to the first parameter of its function: `pthread_join(pool->threads[i])`, where
  // all of them were started into `pool->threads[i]` of the first parameter of theirs.
  ThreadBits ofObject(CallSiteId site, const knowledge::Row &row) const;

private:
  std::vector<Place> writtenBy(const Entered &row) const;
  void addHandedOn(const Place &handle, FuncId starter, std::vector<Place> &written) const;
  void addCopies(ThreadBits &joined) const;
  ThreadBits heldIn(Location handle) const;
  struct Named {
    std::string_view words;
    Location place = {};
  };
  Named keptUnder(const Entered &row) const;
  bool isElement(CallSiteId site, model::Operand handle) const;
  bool isElementOfFirst(FuncId function, model::Operand address) const;
  ThreadBits heldUnderName(CallSiteId site, model::Operand handle) const;
  void addAlike(Location handle, ThreadBits &joined) const;
  ThreadBits heldAsOwn(CallSiteId site, model::Operand handle) const;
  ThreadId onlyOne(FuncId function) const;
  bool isStartedBy(const Thread &thread, CallSiteId site) const;
  bool addStartedAt(CallSiteId site, ThreadBits &joined) const;
  bool isByOne(const Thread &thread) const;
  bool isByOneAtATime(FuncId function) const;

  const ThreadInput &input_;
  const FoundThreads &found_;
};

} // namespace deadheat::link
