// A candidate in the words of a finding.
#pragma once

#include "analyse/race/candidate.h"
#include "analyse/rank/belief.h"
#include "finding/finding.h"

namespace deadheat::analyse {

finding::Finding describe(const World &world, const Beliefs &beliefs, const Candidate &candidate);

} // namespace deadheat::analyse
