// The named reasons to think less of a finding.
#pragma once

#include <vector>

#include "analyse/filter/lives.h"
#include "analyse/filter/signals.h"
#include "analyse/race/candidate.h"
#include "finding/finding.h"

namespace deadheat::analyse {

inline constexpr size_t kFewObjects = 4; // that an access may be of, and is still believed

std::vector<finding::Demotion> demotionsOf(const World &world, Reach &reach, const Lives &lives, Signals &signals,
                                           const Candidate &candidate);

} // namespace deadheat::analyse
