// How much a finding is worth reading: higher is more.
//
// A sum of cues, each small, none deciding alone: cues.def has them, and what each weighs.
#pragma once

#include "analyse/race/candidate.h"
#include "analyse/rank/belief.h"
#include "analyse/rank/crowd.h"
#include "analyse/rank/reach.h"
#include "finding/finding.h"

namespace deadheat::analyse {

double scoreOf(const World &world, const Beliefs &beliefs, const Crowd &crowd, Reach &reach, const Candidate &candidate,
               const finding::Finding &described);

} // namespace deadheat::analyse
