// The list of threads: what is started where, by whom, once or often, and what each executes.
#pragma once

#include <set>

#include "link/entered.h"
#include "link/gaps.h"
#include "link/loops.h"
#include "link/threads.h"

namespace deadheat::link {

// What the stages about threads read.
struct ThreadInput {
  const Code &code;
  const CallGraph &calls;
  const PointsTo &pointsTo;
  const std::vector<Entered> &entered;
  const Wrappers &wrappers;
};

// How often things are executed, as far as it matters: never, once, more than once.
struct Often {
  std::vector<uint8_t> function; // [function]: 0, 1, 2 for many
  std::vector<bool> inLoop;      // [call site]
  uint8_t site(CallSiteId id, const CallGraph &calls) const {
    FuncId caller = calls.sites[id].caller;
    if (!caller.valid()) return 0;
    return inLoop[id.value()] && function[caller.value()] ? 2 : function[caller.value()];
  }
};

struct FoundThreads {
  Threads threads;
  Often often;
  std::vector<std::vector<ThreadId>> startedAt; // [index of `entered`]
};

// Those of `inTurn` are taken to have ended before they are started again.
FoundThreads findThreads(const ThreadInput &input, Gaps &gaps, const std::set<ThreadId> &inTurn = {});

// Whether each thread gets an argument of its own.
void judgeArguments(const ThreadInput &input, FoundThreads &found);

// Which are live where, and which together.
void findLiveness(const ThreadInput &input, FoundThreads &found);

} // namespace deadheat::link
