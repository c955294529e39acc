// From a schedule that gives the race to the fewest decisions that still give it.
//
// A list is tried by following it (StrategyId::Follow), which does not mind decisions that are left out; what came of that is a
// recording of its own, and takes the place of the list. First the last few decisions alone, 1, 2, 4 and so on, as most of what
// comes before a race has nothing to do with it; then delta debugging, halves first.
//
// Claim   The returned list is a recording of a run that was wanted; leaving out any one decision is not, unless the budget of runs
//         ended first.
// Cost    About 2 n + log N runs where n decisions are needed of N.
#pragma once

#include <functional>
#include <optional>

#include "confirm/direction.h"

namespace deadheat::confirm {

using Decisions = std::vector<abi::Decision>;

// Follows a list. Null: it does not give what is wanted; else what was recorded.
using Try = std::function<std::optional<Decisions>(const Decisions &)>;

Decisions minimise(Decisions decisions, const Try &attempt, unsigned budget);

} // namespace deadheat::confirm
