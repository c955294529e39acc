// The functions behind abi/hooks.def.
//
// Claim   A hook changes nothing the program can see: no errno, no locks, no allocation, no vector registers. It waits
//         for the reader a bounded time and never fails.
// Cost    About ten instructions for an access that the thread executed recently.
// Misses  Accesses of a signal handler that interrupted a hook; they are counted as skipped.
#pragma once

#include "abi/table.h"

namespace deadheat::runtime {

// Fills the table of one object and switches it on.
void fillTable(abi::HookTable &table);

} // namespace deadheat::runtime
