#include "analyse/bottom_up.h"

#include <atomic>
#include <memory>

#include "oneapi/tbb/global_control.h"
#include "oneapi/tbb/parallel_for_each.h"

namespace deadheat::analyse {

using link::ComponentId;
using link::FuncId;

// What callers can see of a summary, for telling when recursion has settled.
static bool sameToCallers(const Summary &a, const Summary &b) {
  auto rows = [](const Summary &summary) {
    return std::tie(summary.exits, summary.returned, summary.fresh, summary.stores, summary.clobbers, summary.flows);
  };
  return a.ready == b.ready && rows(a) == rows(b) && a.entries.size() == b.entries.size() &&
         a.names.nodes.size() == b.names.nodes.size();
}

static void summariseComponent(Environment &environment, ComponentId component) {
  const link::CallGraph &calls = environment.program.calls;
  bool isRecursive = calls.recursive[component.value()];
  for (unsigned round = 0; round < (isRecursive ? kMaxRounds : 1); ++round) {
    bool changed = false;
    for (FuncId function : calls.components[component]) {
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
  std::vector<std::vector<ComponentId>> callers;
  std::unique_ptr<std::atomic<uint32_t>[]> waiting;
  std::vector<ComponentId> first;
};

} // namespace

static Schedule scheduleOf(const link::CallGraph &calls) {
  size_t count = calls.components.size();
  Schedule schedule{std::vector<std::vector<ComponentId>>(count), std::make_unique<std::atomic<uint32_t>[]>(count), {}};
  std::vector<std::vector<ComponentId>> callees(count);
  for (uint32_t i = 0; i < calls.sites.size(); ++i) {
    FuncId caller = calls.sites[link::CallSiteId(i)].caller;
    if (!caller.valid()) continue;
    ComponentId from = calls.componentOf[caller.value()];
    for (FuncId callee : calls.callees[link::CallSiteId(i)])
      if (ComponentId to = calls.componentOf[callee.value()]; to != from) insertSorted(callees[from.value()], to);
  }
  for (uint32_t i = 0; i < count; ++i) {
    schedule.waiting[i] = static_cast<uint32_t>(callees[i].size());
    if (callees[i].empty()) schedule.first.push_back(ComponentId(i));
    for (ComponentId callee : callees[i]) schedule.callers[callee.value()].push_back(ComponentId(i));
  }
  return schedule;
}

void summarise(Environment &environment, unsigned jobs) {
  environment.summaries.resize(environment.program.symbols.functions.size());
  Schedule schedule = scheduleOf(environment.program.calls);
  std::optional<oneapi::tbb::global_control> limit;
  if (jobs > 0) limit.emplace(oneapi::tbb::global_control::max_allowed_parallelism, jobs);
  oneapi::tbb::parallel_for_each(schedule.first, [&](ComponentId component, auto &feeder) {
    summariseComponent(environment, component);
    for (ComponentId caller : schedule.callers[component.value()])
      if (schedule.waiting[caller.value()].fetch_sub(1) == 1) feeder.add(caller);
  });
}

} // namespace deadheat::analyse
