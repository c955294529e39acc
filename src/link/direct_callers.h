// Who calls a function by name.
#pragma once

#include <vector>

#include "link/call_graph.h"
#include "link/code.h"
#include "link/lists.h"

namespace deadheat::link {

Lists<FuncId, FuncId> directCallers(const Code &code, const CallGraph &graph);

// [function]: it calls one of `called`, itself or through at most `depth` - 1 others.
std::vector<bool> callersWithin(const Lists<FuncId, FuncId> &callers, std::vector<FuncId> called, int depth);

} // namespace deadheat::link
