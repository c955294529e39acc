// What holds behind a loop because its rounds did it, one by one: `for (i...) lock(&accounts[i].lock);` holds the locks of all accounts,
// `for (i...) sem_wait(&done);` has waited for whoever posts it.
//
// Claim   An edge is here if it leaves a loop that takes a lock of the table in its rounds and gives none back, or waits for a semaphore in each
//         round; with the address of the lock or semaphore.
// Assumes the loop goes through all that there are, also where it makes no round: likely, so a lock is held as one of its array only.
// Cost    linear in statements; loops only where there are such calls.
// Misses  locks that are tried, taken by functions of the program, or kept as guards in a container; waits in functions of the program.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "link/ids.h"
#include "link/program.h"

namespace deadheat::analyse {

struct LoopEnd {
  model::Operand object;
  bool isWait = false; // for a semaphore; else a lock was taken
};
using LoopEnds = std::map<std::pair<uint32_t, uint32_t>, std::vector<LoopEnd>>; // by block and next block

LoopEnds findLoopEnds(const link::Program &program, link::FuncId function);

} // namespace deadheat::analyse
