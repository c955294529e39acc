// The stage that aims at findings: each candidate gets its campaign of directed runs, and climbs or says why not.
//
// Claim   A finding climbs to confirmed only if two threads stood before both accesses of one address at once, or every thread of
//         its cycle waited for the next; the schedule that did it is in a file that `deadheat replay` takes.
// Cost    `runs` runs of the command per candidate, `jobs` candidates at a time.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "confirm/campaign.h"
#include "confirm/schedule.h"
#include "finding/finding.h"
#include "model/frame.h"

namespace deadheat::driver {

struct ConfirmRequest {
  std::vector<std::string> command;
  std::vector<std::string> environment; // with the director preloaded
  std::string program;                  // the file that command[0] names
  std::string schedules;                // directory for the files
  confirm::CampaignOptions campaign;
  std::chrono::milliseconds limit = std::chrono::seconds(10); // of one run
  std::chrono::seconds time = {};                             // for all of it; 0: no limit
  unsigned jobs = 1;
};

// Called when a candidate is done, by one thread at a time.
using ConfirmProgress = std::function<void(const finding::Finding &, size_t done, size_t all)>;

// `findings` have their ids. Those that are no candidates (lock misuse, confirmed before, or possible and demoted) stay as they are.
Expected<void> confirmFindings(std::vector<finding::Finding> &findings, const std::vector<model::LinkedUnit> &units,
                               const ConfirmRequest &request, const ConfirmProgress &progress);

// LD_PRELOAD with the director, in front of what is preloaded already.
std::vector<std::string> directedEnvironment();

} // namespace deadheat::driver
