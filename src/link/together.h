// Which threads may run at the same time.
//
// Claim   Two threads that one thread starts, one after the other has been joined with all below it, never meet.
// Assumes Threads says what is live where (thread_finder.h).
#pragma once

#include <map>
#include <vector>

#include "link/call_graph.h"
#include "link/threads.h"

namespace deadheat::link {

void findTogether(Threads &threads, const CallGraph &calls,
                  const std::map<ThreadId, std::vector<CallSiteId>> &startSites);

// Who is started inside of what runs once, and nowhere else: Threads::startedIn.
void findStartedIn(Threads &threads, const CallGraph &calls,
                   const std::map<ThreadId, std::vector<CallSiteId>> &startSites);

} // namespace deadheat::link
