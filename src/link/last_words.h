// Calls that the program does not survive: assertions that failed, panics, usage messages.
//
// What they report reads half of the program on its way, in whatever thread it was, and nobody cares for a race there.
//
// Claim   A call that is marked does not return, is the last of a way on which its function never comes back, and there
//         are other ways on which it does. The function that is called has a body and does not end its thread alone.
// Assumes a function that loops for ever is not called on such a way: then the caller's other ways would be the odd ones.
// Cost    linear in blocks.
#pragma once

#include <vector>

#include "link/call_graph.h"
#include "link/code.h"

namespace deadheat::link {

std::vector<bool> findLastWords(const Code &code, const CallGraph &sites); // [call site]

} // namespace deadheat::link
