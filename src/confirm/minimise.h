// From a schedule that gives the race to the fewest decisions that still give it.
//
// Claim   Every returned list was run and gave what is `wanted`; removing any one decision from it does not, unless the
//         budget of runs ended first.
// Cost    About 2 n runs where n decisions are needed of many: delta debugging, halves first.
#pragma once

#include <functional>

#include "confirm/direction.h"

namespace deadheat::confirm {

using Decisions = std::vector<abi::Decision>;

// Runs a list and says whether it still gives what is wanted.
using StillGood = std::function<bool(const Decisions &)>;

Decisions minimise(Decisions decisions, const StillGood &stillGood, unsigned budget);

} // namespace deadheat::confirm
