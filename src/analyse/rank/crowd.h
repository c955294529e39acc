// How many variables two threads share without any lock.
//
// Assumes that most of a program is right: two threads that meet on hundreds of variables, and guard none of them, have an
//         order that is not seen here (they take turns, or one of them turns back before it gets there). Two that meet on
//         a few have forgotten a lock.
// Cost    linear in the meetings of pairs.
#pragma once

#include <vector>

#include "llvm/ADT/DenseMap.h"

#include "analyse/race/pairs.h"
#include "analyse/rank/reach.h"

namespace deadheat::analyse {

class Crowd {
public:
  Crowd(const World &world, Reach &reach, const std::vector<RacePair> &pairs);

  // Variables with a name of their own that both get to by calls of few targets; what only points-to takes for one
  // variable, or believes to be called, is not counted.
  uint32_t of(const Meeting &meeting) const;

private:
  llvm::DenseMap<uint64_t, uint32_t> variables_; // [two threads]
};

// From a handful on, each tenfold more takes as much away as a lock that is held on one side gives.
double costOf(const Crowd &crowd, const Meeting &meeting);

// The likeliest first: not at start-up, not in a handler, by narrow calls, in the smaller crowd.
void orderMeetings(const World &world, const Crowd &crowd, Reach &reach, std::vector<RacePair> &pairs);

} // namespace deadheat::analyse
