// What each reason to doubt findings has demoted: `deadheat check --filters`.
//
// Claim   Every demoted finding is counted for each of its reasons, and as `alone` where it has no other: without that
//         filter it would count. Reasons in order of how many they demote, then by name.
#pragma once

#include <string>
#include <vector>

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include "finding/finding.h"

namespace deadheat::driver {

struct FilterCount {
  std::string reason;
  std::string why;
  size_t demoted = 0;
  size_t alone = 0;
  std::vector<const finding::Finding *> best; // those that it alone demotes first; by score
};

// They point into the list.
std::vector<FilterCount> countFilters(const std::vector<finding::Finding> &list);

// `verbose`: all findings of each filter, not only the best of them.
void printFilters(llvm::raw_ostream &out, const std::vector<FilterCount> &filters, bool verbose);
llvm::json::Array filtersJson(const std::vector<FilterCount> &filters);

} // namespace deadheat::driver
