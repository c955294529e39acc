// A pair of statements that may race, before it is judged.
#pragma once

#include "analyse/race/chains.h"
#include "analyse/race/pairs.h"
#include "analyse/rank/reach.h"

namespace deadheat::analyse {

inline constexpr uint64_t kMaxLooks = 65'536; // pairs of statements of one variable

inline constexpr size_t kMaxOthers = 6;

struct Candidate {
  const RacePair *pair = nullptr;
  Leaf a;
  Leaf b;
  Meeting meeting;
  std::vector<Meeting> others; // of other threads, as likely; at most kMaxOthers
  bool isUnwinding = false;    // one side does it only while an exception leaves
  bool isContradicted = false; // one side gets there only against what its thread has tested on the way
};

// One per pair of sites, in order of sites. Pairs of statements at which the threads cannot be live together are left
// out. Of a variable that is accessed everywhere, every pair of accesses is looked at, but not each at all its statements:
// `unseen` counts the pairs of statements that were passed over.
// Cost    linear in pairs, and at most kMaxLooks for each variable.
std::vector<Candidate> candidatesOf(World &world, Reach &reach, const std::vector<RacePair> &pairs, uint64_t &unseen);

} // namespace deadheat::analyse
