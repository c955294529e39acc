// Summaries of all functions, callees before callers.
//
// Claim   The same summaries with any number of jobs: a component reads only what it depends on.
// Cost    one analysis per function; a recursive component is repeated until its summaries stop changing, at most
//         kMaxRounds times.
#pragma once

#include "analyse/symbolic/function.h"

namespace deadheat::analyse {

inline constexpr unsigned kMaxRounds = 3;

void summarise(Environment &environment);

} // namespace deadheat::analyse
