// Loops that wait on a condition variable until memory says something: `while (pending > 0) wait(&done, &lock);`
//
// Claim   An edge is here if it leaves a loop with such a wait, by a test; with it is what the test has read. Who leaves by it comes after
//         whoever wrote that, as both hold the lock.
// Assumes the lock is held where the test is made: a test without it is a race of its own.
// Cost    linear in the blocks of functions that wait.
// Misses  tests of what calls return that read more than a few things (readBy in guard/summary.h).
#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "link/program.h"

namespace deadheat::analyse {

struct Waited {
  model::Operand address = {}; // that was read; none: the result is a call's
  model::SiteId site = {};     // of the read
  model::ValueId result = {};
  link::CallSiteId call = {};
};
using WaitExits = std::map<std::pair<uint32_t, uint32_t>, std::vector<Waited>>; // by block and next block

// Functions that wait on a condition once when they are called: for a loop around the call.
std::set<link::FuncId> findWaiters(const link::Program &program);

// `waiters`: of the whole program.
WaitExits findWaitExits(const link::Program &program, link::FuncId function, const std::set<link::FuncId> &waiters);

} // namespace deadheat::analyse
