#include "analyse/bottom_up.h"

#include <algorithm>
#include <atomic>
#include <memory>

#include "oneapi/tbb/parallel_for_each.h"

namespace deadheat::analyse {

using link::FuncId;

// What callers can see of a summary, for telling when recursion has settled.
static bool sameToCallers(const Summary &a, const Summary &b) {
  auto rows = [](const Summary &summary) {
    return std::tie(summary.exits, summary.returned, summary.fresh, summary.stores, summary.clobbers, summary.flows);
  };
  return a.ready == b.ready && rows(a) == rows(b) && a.entries.size() == b.entries.size() &&
         a.names.nodes.size() == b.names.nodes.size();
}

static void summariseComponent(Environment &environment, uint32_t component) {
  const CallOrder &order = environment.order;
  unsigned rounds = !order.recursive[component]                          ? 1
                    : order.components[component].size() > kMaxComponent ? 2
                                                                         : kMaxRounds;
  for (unsigned round = 0; round < rounds; ++round) {
    bool changed = false;
    for (FuncId function : order.components[component]) {
      if (environment.program.function(function).external()) continue;
      Summary made = FunctionAnalysis(environment, function).run();
      Summary &known = environment.summaries[function.value()];
      changed |= !sameToCallers(known, made);
      known = std::move(made);
    }
    if (!changed) return;
  }
}

namespace {

// Each component waits for those that it calls.
struct Schedule {
  std::vector<std::vector<uint32_t>> callers;
  std::unique_ptr<std::atomic<uint32_t>[]> waiting;
  std::vector<uint32_t> first;
};

} // namespace

static Schedule scheduleOf(const link::CallGraph &calls, const CallOrder &order) {
  size_t count = order.components.size();
  Schedule schedule{std::vector<std::vector<uint32_t>>(count), std::make_unique<std::atomic<uint32_t>[]>(count), {}};
  std::vector<std::pair<uint32_t, uint32_t>> edges; // callee, caller
  for (uint32_t i = 0; i < calls.sites.size(); ++i) {
    FuncId caller = calls.sites[link::CallSiteId(i)].caller;
    if (!caller.valid() || !order.followed[i]) continue;
    uint32_t from = order.componentOf[caller.value()];
    for (FuncId callee : calls.callees[link::CallSiteId(i)])
      if (uint32_t to = order.componentOf[callee.value()]; to != from) edges.push_back({to, from});
  }
  std::ranges::sort(edges);
  edges.erase(std::ranges::unique(edges).begin(), edges.end());
  for (auto [callee, caller] : edges) {
    ++schedule.waiting[caller];
    schedule.callers[callee].push_back(caller);
  }
  for (uint32_t i = 0; i < count; ++i)
    if (schedule.waiting[i] == 0) schedule.first.push_back(i);
  return schedule;
}

void summarise(Environment &environment) {
  environment.summaries.resize(environment.program.symbols.functions.size());
  Schedule schedule = scheduleOf(environment.program.calls, environment.order);
  oneapi::tbb::parallel_for_each(schedule.first, [&](uint32_t component, auto &feeder) {
    summariseComponent(environment, component);
    for (uint32_t caller : schedule.callers[component])
      if (schedule.waiting[caller].fetch_sub(1) == 1) feeder.add(caller);
  });
}

} // namespace deadheat::analyse
