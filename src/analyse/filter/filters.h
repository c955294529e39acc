// The named reasons to think less of a finding.
#pragma once

#include <vector>

#include "analyse/race/candidate.h"
#include "finding/finding.h"

namespace deadheat::analyse {

std::vector<finding::Demotion> demotionsOf(const World &world, const Candidate &candidate);

} // namespace deadheat::analyse
