// A pair of statements that may race, before it is judged.
#pragma once

#include "analyse/race/chains.h"
#include "analyse/race/pairs.h"

namespace deadheat::analyse {

struct Candidate {
  const RacePair *pair = nullptr;
  Leaf a;
  Leaf b;
  Meeting meeting;
  bool isUnwinding = false; // one side does it only while an exception leaves
};

// One per pair of sites, in order of sites. Pairs of statements at which the threads cannot be live together are left
// out.
std::vector<Candidate> candidatesOf(World &world, const std::vector<RacePair> &pairs);

} // namespace deadheat::analyse
