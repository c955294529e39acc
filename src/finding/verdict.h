// Which findings count, how many there are, and what exit status that makes (the contract's exit codes).
#pragma once

#include <array>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "finding/finding.h"
#include "finding/names.h"
#include "support/error.h"

namespace deadheat::finding {

// Every finding is counted once: as suppressed, else as baselined, else as demoted, else at its level.
struct Summary {
  std::array<uint64_t, std::size(kLevels)> levels = {};
  uint64_t suppressed = 0;
  uint64_t baselined = 0;
  uint64_t demoted = 0;

  uint64_t shown() const; // all levels
};

Summary summarise(const std::vector<Finding> &findings);

// Whether somebody has to look at it: not suppressed, not known before, not demoted.
bool counts(const Finding &finding);

// Whether there is a finding that counts, at `failOn` or above.
bool fails(const std::vector<Finding> &findings, Level failOn);

// Marks the findings whose ids stand in a findings.json of before.
Expected<void> applyBaseline(std::vector<Finding> &findings, const std::string &path);

} // namespace deadheat::finding
