// Why a candidate was not confirmed, in the words of the contract: never-executed, one-thread, always-ordered, not-hit.
#pragma once

#include "confirm/campaign.h"
#include "finding/finding.h"

namespace deadheat::driver {

finding::NotClimbed reasonOf(const finding::Finding &finding, const confirm::Verdict &verdict);

} // namespace deadheat::driver
