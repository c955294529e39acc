// Which nodes stand for so many objects that listing them is given up anyway: nobody has to walk for it again and again.
//
// For each node, the smallest kKept of the hashes of its objects say how many they are (a bottom-k sketch): where a small
// share of all hashes holds kKept of them, there are more than kMaxPlaces objects, four times over.
//
// Claim   The same answer for the same program. An answer that is wrong, once in thousands of times, makes a list
//         incomplete, which is sound.
// Cost    linear in edges, once.
#pragma once

#include <vector>

#include "link/flow_graph.h"

namespace deadheat::link {

// [node]
std::vector<bool> findCrowds(const FlowGraph &graph);

} // namespace deadheat::link
