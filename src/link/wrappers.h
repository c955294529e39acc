// Functions that do for their caller what the knowledge table says of another function: xmalloc, start_thread.
//
// Claim   allocates(f): every value that f returns is null or a block that was fresh in this call. spawns(f): f starts a
//         thread in the function that is one of its parameters.
//         Also where it starts all in one function of its own, which calls the one that it was told (trampoline.h).
//         joins(f): join_wrappers.h.
// Assumes copies are in registers: a wrapper that parks its parameters in memory is not seen as one. What it returns may be in a
//         variable (stack_slots.h).
// Cost    linear in the statements of functions that call allocators or start threads.
#pragma once

#include <deque>
#include <vector>

#include "link/call_graph.h"
#include "link/code.h"
#include "link/pools.h"

namespace deadheat::link {

struct Wrappers {
  std::vector<bool> allocates;  // [function]
  std::vector<bool> inner;      // [call site]: in such a function, the call whose block it returns
  std::vector<bool> innerSpawn; // [call site]: in a function that spawns for its caller, the call that does it
  std::vector<const knowledge::Row *> spawns; // [function]: as a row of the table would say it; null: none
  std::vector<const knowledge::Row *> joins;  // [function]: likewise
  std::deque<knowledge::Row> rows;
  std::deque<Pool> pools; // members that threads call; their submitters are in `spawns`
};

Wrappers findWrappers(const Code &code, const CallGraph &sites);

} // namespace deadheat::link
