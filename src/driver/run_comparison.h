// What a comparison of samplers found, for people and for findings.json.
#pragma once

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include "detect/comparison.h"

namespace deadheat::driver {

// As LiteRace's Table 3 and Figures 4 and 5: effective sampling rate, share of the races found, of the rare and of the frequent.
void printComparison(llvm::raw_ostream &out, const detect::ComparisonResult &result);
llvm::json::Object comparisonJson(const detect::ComparisonResult &result);

} // namespace deadheat::driver
