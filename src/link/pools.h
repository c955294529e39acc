// Threads that work off a queue: `submit(pool, f, x)` puts f into a record, and a thread that waits for records calls
// `record->f(record->x)`. What such a thread calls begins when it is submitted, not when the thread was started.
//
// Claim   Every row returned says that a call of `submit` starts a thread in its parameter `entry`, as a row of the knowledge table
//         would: some function that a thread begins in calls, itself or in a helper that only it calls, the member into which `submit`
//         stores that parameter. `name` is that member.
// Assumes whoever submits wakes somebody: it, what it calls or who calls it signals a condition or posts a semaphore; or it puts the record
//         into a list under a lock, for threads that look there now and then. Who only sets a callback for later does neither.
// Cost    linear in statements, if a thread calls through a member at all.
// Misses  closures that are made before they are submitted (std::function), members that the model has no name for.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "knowledge/sync_api.h"
#include "link/call_graph.h"
#include "link/code.h"
#include "link/definitions.h"
#include "link/lists.h"

namespace deadheat::link {

struct Pool {
  std::string member;                  // `struct job.function`
  std::vector<CallSiteId> calls;       // where threads call it
  std::map<std::string, int> passed;   // members that the calls pass on: to which parameter
  int record = knowledge::kNone;       // parameter that gets the record itself
  const knowledge::Row *row = nullptr; // by which one of the threads is started
};

struct Submit {
  FuncId function;
  knowledge::Row row;
};

class PoolFinder {
public:
  PoolFinder(const Code &code, const CallGraph &graph, const Lists<FuncId, FuncId> &callers)
      : code_(code), graph_(graph), callers_(callers) {}

  // `startOf`: the row by which a call of the function starts a thread; null: it does not. Pools keep their addresses.
  template <typename StartOf> std::vector<Submit> find(StartOf startOf, std::deque<Pool> &pools) {
    for (const CallSite &site : graph_.sites) {
      if (!site.caller.valid()) continue;
      const model::Call &call = code_.unit(site.unit).calls[site.call];
      FuncId callee = code_.directCallee(site.unit, call);
      if (const knowledge::Row *row = callee.valid() ? startOf(callee) : nullptr) addEntry(site, call, *row);
    }
    for (const auto &[entry, row] : entries_) addCalls(entry, *row, pools);
    return pools.empty() ? std::vector<Submit>() : submits(pools);
  }

private:
  void addEntry(const CallSite &site, const model::Call &call, const knowledge::Row &row);
  void addCall(FuncId function, const Definitions &definitions, model::CallId id, const knowledge::Row &row,
               std::deque<Pool> &pools);
  void addCalls(FuncId function, const knowledge::Row &row, std::deque<Pool> &pools);
  std::vector<FuncId> withHelpers(FuncId entry) const;
  std::vector<Submit> submits(const std::deque<Pool> &pools);
  std::optional<knowledge::Row> submitRow(FuncId function, const std::deque<Pool> &pools) const;
  bool wakes(FuncId function) const;
  std::vector<bool> callersOf(bool (*isWanted)(const knowledge::Row *)) const;

  const Code &code_;
  const CallGraph &graph_;
  const Lists<FuncId, FuncId> &callers_; // by name
  std::map<FuncId, const knowledge::Row *> entries_;
  std::vector<bool> signalling_; // [function]: it wakes somebody
  std::vector<bool> locking_;    // [function]: it takes a lock
};

} // namespace deadheat::link
