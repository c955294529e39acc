// Calls that the program does not survive: assertions that failed, panics, usage messages.
//
// What they report reads half of the program on its way, in whatever thread it was, and nobody cares for a race there.
//
// Claim   A call that is marked does not return, is the last of a way on which its function never comes back, and there
//         are other ways on which it does; or its function dies. The function that is called has a body and does not end
//         its thread alone. A function that dies never comes back, does not go round for ever, and does not leave by
//         exit() with a status that may be good.
// Assumes a function that loops for ever is not called on such a way: then the caller's other ways would be the odd ones.
// Cost    linear in blocks.
#pragma once

#include <vector>

#include "link/call_graph.h"
#include "link/code.h"

namespace deadheat::link {

struct LastWords {
  std::vector<bool> calls; // [call site]
  std::vector<bool> dies;  // [function]: whoever calls it, the program does not survive that either
};

LastWords findLastWords(const Code &code, const CallGraph &sites);

} // namespace deadheat::link
