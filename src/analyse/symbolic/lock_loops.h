// Loops that take the locks of an array one by one and keep them: `for (i...) lock(&accounts[i].lock);`. Behind them all are held.
//
// Claim   An edge is here if it leaves a loop that takes a lock of the table in its rounds and gives none back; with the address of the lock.
// Assumes the loop goes through all elements that there are, also where it makes no round: likely, so it is held as one of its array only.
// Cost    linear in statements; loops only where there are such calls.
// Misses  locks that are tried, taken by functions of the program, or kept as guards in a container.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "link/ids.h"
#include "link/program.h"

namespace deadheat::analyse {

using LockLoops = std::map<std::pair<uint32_t, uint32_t>, std::vector<model::Operand>>; // by block and next block

LockLoops findLockLoops(const link::Program &program, link::FuncId function);

} // namespace deadheat::analyse
