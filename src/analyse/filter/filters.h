// The named reasons to think less of a finding.
#pragma once

#include <vector>

#include "analyse/race/candidate.h"
#include "finding/finding.h"

namespace deadheat::analyse {

inline constexpr uint32_t kLargeClass = 64; // objects that points-to cannot tell apart (the paper: 1)

std::vector<finding::Demotion> demotionsOf(const World &world, const Candidate &candidate);

} // namespace deadheat::analyse
