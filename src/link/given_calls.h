// Functions that are given to be called: `forEach(list, print)`.
//
// The call in forEach goes to whatever anybody gives it. Who calls forEach executes what it gives itself, and not what others give.
//
// Claim   What a call through a parameter may reach is given by one of the calls that lead to it, or `isGiven` is false for both.
// Assumes a parameter is not changed before it is called, as it is in a register then.
// Cost    linear in calls through parameters and the calls of their functions; sets of functions that are passed on are united once each.
// Misses  functions in records (`ops->print`), and what is bound by std::function.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <vector>

#include "link/call_graph.h"
#include "link/code.h"

namespace deadheat::link {

struct GivenCalls {
  using Functions = std::vector<FuncId>;  // sorted
  std::map<CallSiteId, Functions> inside; // by a call through a parameter: what its function's callers give
  std::map<CallSiteId, Functions> gives;  // by a call: what is called because of what it gives

  // The call reaches it because a caller gives it.
  bool isGiven(CallSiteId site, FuncId callee) const {
    auto known = inside.find(site);
    return known != inside.end() && std::ranges::binary_search(known->second, callee);
  }
};

// `isEntered`: others than its callers may begin in the function, as threads do.
GivenCalls findGivenCalls(const Code &code, const CallGraph &calls, const std::function<bool(FuncId)> &isEntered);

} // namespace deadheat::link
