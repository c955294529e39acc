// Pairs that say the same: one finding for each variable and pair of lines, and not too many of one variable.
//
// Reads and writes of `++n`, and all that a member function of a container does, are one thing to whoever reads the line.
// Of each group the likeliest pair stands for all.
#pragma once

#include <vector>

#include "analyse/race/candidate.h"
#include "analyse/rank/belief.h"
#include "finding/finding.h"

namespace deadheat::analyse {

struct Judged {
  const Candidate *candidate = nullptr;
  VariableKey variable = {};
  std::vector<finding::Demotion> demotions = {};
  uint32_t others = 0; // pairs that it stands for besides its own
};

// `dropped` counts those beyond the bound of a variable.
std::vector<Judged> foldAlike(const World &world, std::vector<Judged> all, uint64_t &dropped);

} // namespace deadheat::analyse
