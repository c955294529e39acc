// What is kept of a confirmed finding: the shortest schedule that repeats it, in a file, and its story.
#pragma once

#include <string>

#include "confirm/campaign.h"
#include "confirm/schedule.h"
#include "confirm/targets.h"
#include "finding/finding.h"

namespace deadheat::driver {

struct EvidenceRequest {
  const std::vector<std::string> &command;
  const std::string &directory; // for schedule files
  const confirm::TargetIndex &index;
  const confirm::Runner &runner;
};

// `verdict` is confirmed. The finding climbs.
Expected<void> addEvidence(finding::Finding &finding, const confirm::Verdict &verdict, const EvidenceRequest &request);

} // namespace deadheat::driver
