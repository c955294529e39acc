// Carries out a plan: runs clang with the plugin and, should that fail, without it.
//
// Claim   Diagnostics appear once and are clang's own, the exit status is clang's, and a compile that clang passes
//         passes. What a failed first run wrote to its standard streams is never seen.
// Assumes output files of the first run are overwritten or removed by the second, as make expects of any compiler.
// Cost    a failing compile runs twice.
#pragma once

#include "capture/plan.h"
#include "support/error.h"

namespace deadheat::capture {

// The exit status; does not return where the plan is one command, or where the compiler was killed by a signal.
Expected<int> execute(const Plan &plan);

} // namespace deadheat::capture
