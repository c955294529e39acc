// Findings from what was detected in the processes of a run.
//
// Claim   Races of one pair of sites are one finding, whatever processes, threads and late accesses they were seen in. A pair
//         that is unordered by happens-before is `observed`, one that only locks order by chance is `predicted`.
//         The same detections give the same findings.
#pragma once

#include <vector>

#include "detect/detection.h"
#include "driver/run_code.h"
#include "finding/finding.h"

namespace deadheat::driver {

// Adds findings, threads, locks and gaps.
void addDetected(const std::vector<detect::Detection> &detections, const RunCode &code, finding::Findings &findings);

} // namespace deadheat::driver
