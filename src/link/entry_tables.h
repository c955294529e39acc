// A loop that starts the functions of a table, one in each round:
//
//     static void *(*const parts[])(void *) = {reader, writer};
//     for (i = 0; i < 2; i++) pthread_create(&threads[i], NULL, parts[i], NULL);
//
// Claim   The functions that the start at hand begins in at most once in each run of the loop around it: each is once in the table from
//         which the entry is read, and each round reads another element.
// Assumes nobody changes the table after it was filled.
// Cost    linear in the function that starts them.
// Misses  tables that are filled elsewhere, containers, and loops inside loops.
#pragma once

#include <vector>

#include "link/call_graph.h"
#include "link/code.h"

namespace deadheat::link {

// `entry`: which argument of the call is the function. Empty: it is no such loop.
std::vector<FuncId> startedOnceEach(const Code &code, const CallSite &site, int entry);

} // namespace deadheat::link
