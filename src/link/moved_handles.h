// Variables whose handle was moved away before they are joined: `worker = std::jthread(run)` leaves a variable that was emptied, or that has got
// the handle which `worker` held before, to a destructor that joins.
//
// Claim   joinsNothingNew: what the join gets is no handle of a thread that the same call of the function has started: the variable is empty on every
//         way there, or has what lay in a place that now has such a handle.
// Assumes the library's moves are inlined. Who gets a variable's address as an argument may put anything into it.
// Cost    linear in the function's statements, times the rounds of its loops; once for each join of a variable of the function.
// Misses  handles in arrays; moves by memcpy of a larger record.
#pragma once

#include <vector>

#include "link/call_graph.h"
#include "link/code.h"

namespace deadheat::link {

// `starts`: statements of the function that start threads, and where each leaves the handle.
struct StartInto {
  model::StatementId statement;
  model::Operand handle;
};
bool joinsNothingNew(const Code &code, const CallSite &join, model::Operand handle,
                     const std::vector<StartInto> &starts);

} // namespace deadheat::link
