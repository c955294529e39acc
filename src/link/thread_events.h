// What calls do to the set of live threads: start some, join some, or go around a join.
//
// Claim   Of each call, itself and not through what it calls: the threads that it starts, and those that it joins when it returns or when
//         its loop is left (joins.h), and whether it joins only those that say that they have ended (polled_joins.h).
// Assumes what joins.h and skipped_joins.h do.
// Cost    linear in starts and joins, times the starts of the program.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "link/joins.h"
#include "link/skipped_joins.h"

namespace deadheat::link {

struct ThreadEvent {
  ThreadBits starts; // with all that they start in turn
  ThreadBits joins;
  bool atLoopExit = false; // the join is of one of many, and takes effect when its loop is left
  bool polled = false;     // whoever has not ended is passed by
  ThreadBits ofCall;       // joined, if this call of the function has started them; others of them may live on
  ThreadBits ofObject;     // its loop joins all of them that belong to the function's first parameter
};

struct ThreadEvents {
  std::map<CallSiteId, ThreadEvent> calls;
  std::map<FuncId, std::vector<std::pair<SkippingEdge, ThreadBits>>> skipped;
  std::map<FuncId, std::vector<SkippingEdge>> failures; // on which a start has failed
  std::map<ThreadId, std::vector<CallSiteId>> startSites;
  std::vector<CallSiteId> idleJoins; // of variables whose handle was moved away (moved_handles.h); sorted
};

// `below`: [thread], what it may start, itself or through others.
ThreadEvents gatherEvents(const ThreadInput &input, const FoundThreads &found, const std::vector<ThreadBits> &below);

} // namespace deadheat::link
