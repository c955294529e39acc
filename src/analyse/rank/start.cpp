#include "analyse/rank/start.h"

#include <algorithm>

namespace deadheat::analyse {

using link::FuncId;

static constexpr int kMaxLevels = 4;   // of callers
static constexpr size_t kMaxWidth = 4; // targets of a call that counts
static constexpr size_t kMaxCallers = 16;

// On all ways to a statement, those of its function's callers included.
static Facts factsOnWays(const link::Program &program, const Conditions &conditions, FuncId function,
                         model::StatementId statement, int levels) {
  auto callers = program.calls.callers[function];
  Facts onEntry;
  bool isFirst = true;
  if (levels > 0 && callers.size() <= kMaxCallers)
    for (link::CallSiteId id : callers) {
      const link::CallSite &site = program.calls.sites[id];
      if (!site.caller.valid() || program.calls.callees[id].size() > kMaxWidth) continue;
      Facts facts = factsOnWays(program, conditions, site.caller, site.statement, levels - 1);
      facts.eraseIf([&](const auto &row) { return conditions.isParameter(row.first); });
      if (isFirst)
        onEntry = std::move(facts);
      else
        meetWith(onEntry, facts);
      isFirst = false;
    }
  return conditions.knownAt(onEntry, function, statement).value_or(Facts());
}

// Nobody makes it untrue while the thread may be there.
static bool isKept(const link::Program &program, const Conditions &conditions, FlagId flag, const Fact &fact,
                   link::ThreadId thread) {
  return std::ranges::all_of(conditions.writers(flag), [&](const auto &row) {
    const auto &[function, write] = row;
    if (write.fact && *write.fact == fact) return true;
    if (program.threads.executing[function].empty()) return true;
    std::vector<link::ThreadId> live = program.threads.liveAt(function, write.statement);
    auto executing = program.threads.executing[function];
    bool isByOthers =
        std::ranges::any_of(executing, [&](link::ThreadId other) { return !program.threads.startedBy(thread, other); });
    return !isByOthers && !std::ranges::binary_search(live, thread);
  });
}

Facts factsAtStart(const link::Program &program, const Conditions &conditions, link::ThreadId thread) {
  const link::Thread &row = program.threads.list[thread];
  if (row.kind != link::ThreadKind::Spawned || !row.createdAt.valid()) return {};
  const link::CallSite &site = program.calls.sites[row.createdAt];
  if (!site.caller.valid()) return {};
  Facts facts = factsOnWays(program, conditions, site.caller, site.statement, kMaxLevels);
  facts.eraseIf([&](const auto &known) {
    const auto &[flag, fact] = known;
    return conditions.isParameter(flag) || conditions.isThreadLocal(flag) || conditions.isTold(flag) ||
           !isKept(program, conditions, flag, fact, thread);
  });
  return facts;
}

} // namespace deadheat::analyse
