// How one function likely comes to hold another's code, where the compiler has not told: the calls through which it was inlined, as the source has them.
//
// Claim   A shortest chain of direct calls in the unit; of equals, the first in the order of the source.
// Misses  Which of several calls it was: the access keeps its function and not the chain.
#pragma once

#include <vector>

#include "model/unit.h"

namespace deadheat::driver {

struct CallStep {
  model::FunctionId caller;
  model::CallId call;
};

// From `outer` to `inner`, innermost first; empty: there is none, or they are the same.
std::vector<CallStep> callPath(const model::Unit &unit, model::FunctionId outer, model::FunctionId inner);

} // namespace deadheat::driver
