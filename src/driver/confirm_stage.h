// The stage that aims at findings: each candidate gets its campaign of directed runs, and climbs or says why not.
//
// After a survey (confirm_survey.h) every candidate that two threads execute gets a few runs, which confirm most of what can be; those that
// were hit get the rest of theirs, their harm and their schedule; then the others get some more, in rounds. So a short time is spent on
// what it shows most about.
//
// Claim   A finding climbs to confirmed only if two threads stood before both accesses of one address at once, or the threads of
//         its circle wait for each other; the schedule that did it is in a file that `deadheat replay` takes.
// Cost    `runs` runs of the command per candidate, `jobs` at a time.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "confirm/campaign.h"
#include "confirm/directed_run.h"
#include "finding/finding.h"
#include "model/frame.h"

namespace deadheat::driver {

struct ConfirmRequest {
  confirm::Launch launch; // with the director preloaded
  std::string schedules;  // directory for the files
  confirm::CampaignOptions campaign;
  bool strategyGiven = false; // by the user, who then gets it for circles of locks, too
  bool named = false;         // the findings were named by the user: each is tried
  unsigned jobs = 1;
  bool jobsGiven = false; // by the user: else more runs at once are made of a command that mostly waits
};

// What was done, for people who compare.
struct ConfirmCounts {
  uint64_t runs = 0;
  double seconds = 0;        // of all runs together
  uint64_t limited = 0;      // runs that a limit ended
  uint64_t childThreads = 0; // of children of the directed process, in one run: these are not directed
  bool alone = false;        // two runs at once ended otherwise than one: they were made one at a time
  uint64_t failed = 0;       // runs that ended in a deadlock, by a signal, or with another status than 0
};

// Called when a candidate is done, by one thread at a time.
using ConfirmProgress = std::function<void(const finding::Finding &, size_t done, size_t all)>;

// `findings` have their ids. Those that are no candidates (lock misuse, confirmed before, or possible and demoted) stay as they are, and so do
// those for which there is no time left.
Expected<ConfirmCounts> confirmFindings(std::vector<finding::Finding> &findings,
                                        const std::vector<model::LinkedUnit> &units, const ConfirmRequest &request,
                                        const ConfirmProgress &progress);

// LD_PRELOAD with the director, in front of what is preloaded already.
std::vector<std::string> directedEnvironment();

} // namespace deadheat::driver
