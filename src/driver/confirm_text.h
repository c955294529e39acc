// A directed run in words: where each decision was, and the racing accesses side by side.
#pragma once

#include <string>
#include <vector>

#include "confirm/campaign.h"
#include "confirm/targets.h"
#include "finding/finding.h"

namespace deadheat::driver {

// FILE:LINE of a call, by its return address; empty: unknown.
std::string callText(uint64_t address, const std::vector<abi::ControlObject> &objects);

// One per decision, for the file: "T3 locks at queue.c:12".
std::vector<std::string> decisionNotes(const confirm::Direction &direction, const confirm::Outcome &outcome,
                                       const confirm::TargetIndex &index);

// The turns of a run around its first hit, numbered: who ran, and where it was left standing.
std::vector<std::string> interleavingSteps(const confirm::Direction &direction, const confirm::Outcome &outcome,
                                           const confirm::TargetIndex &index);

// The evidence in a sentence: who stood where, who went first, and what came of it.
std::string interleavingText(const finding::Finding &finding, const confirm::Verdict &verdict,
                             const confirm::TargetIndex &index);

} // namespace deadheat::driver
