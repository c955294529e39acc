// What holds when a thread begins: modes that were left, and flags that were set, before it was started.
//
// Claim   A fact is told if all ways to all places where the thread is started have it, by tests and stores, and if nobody
//         writes that variable while the thread may be live, except with the same outcome.
// Assumes what Conditions assume; calls of more than a few targets do not lead to where threads are started.
// Cost    per thread, callers of the functions that start it, a few levels up, and the writes of what they know.
#pragma once

#include "analyse/flag/conditions.h"

namespace deadheat::analyse {

Facts factsAtStart(const link::Program &program, const Conditions &conditions, link::ThreadId thread);

} // namespace deadheat::analyse
