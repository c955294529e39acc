// Which accesses touch memory that two threads can reach.
//
// Claim   A site that is not marked touches only memory that one thread reaches, as of a thread-local variable whose address nobody
//         keeps where others find it, or that is constant.
// Assumes points_to.h. Code without a body hands nothing from one thread to another.
// Cost    linear in nodes, edges and statements.
#pragma once

#include "link/entered.h"
#include "link/program.h"

namespace deadheat::link {

// Fills `shared` and `sharedCount`.
void findShared(Program &program, const std::vector<Entered> &entered);

} // namespace deadheat::link
