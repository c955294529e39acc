// Threads that are started again and again, each time after the one before was joined: `for (...) { start(&t); work(); join(t); }`.
//
// Claim   At any time there is at most one instance of a thread that is `inTurn`, whoever starts it, and while one of its creators
//         lives, no other creator has one.
// How     All that may be are taken to be, which makes each join of their handles end them. Then whoever is live at a start of it,
//         or at the start of a thread that starts it in turn, refutes it, and the rest is looked at again. The first time that two
//         lived at once, what was taken for granted held until then, and that start would have been found.
// Assumes what liveness does (threads.h).
// Cost    a few times that of liveness, in programs that start such threads and do not have hundreds of kinds.
// Misses  threads of creators that have several instances at once; rounds that end otherwise than by a join.
#pragma once

#include "link/thread_finder.h"

namespace deadheat::link {

// `found` has its live sets; where threads are in turn, all of it is made anew.
void findInTurn(const ThreadInput &input, FoundThreads &found);

} // namespace deadheat::link
