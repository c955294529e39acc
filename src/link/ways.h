// How a thread gets from its entry to a function, for --explain: the way whose widest call has the fewest targets, and of
// those a shortest one.
//
// Library code on the way is left out, but for calls of several targets.
// Cost    calls of what the thread reaches, for each width.
#pragma once

#include <string>

#include "link/program.h"

namespace deadheat::link {

// `main > serve > handle (1 of 12 targets at a.c:10)`; empty: it is the entry, or not reached.
std::string wayTo(const Program &program, ThreadId thread, FuncId function);

} // namespace deadheat::link
