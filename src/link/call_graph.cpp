#include "link/call_graph.h"

#include <algorithm>
#include <map>
#include <set>

#include "link/components.h"
#include "link/last_words.h"
#include "link/points_to_builder.h"

namespace deadheat::link {

CallGraph numberCalls(const Code &code) {
  CallGraph graph;
  for (uint32_t u = 0; u < code.units.size(); ++u) {
    graph.firstSite.push_back(static_cast<uint32_t>(graph.sites.size()));
    for (uint32_t c = 0; c < code.units[u].unit.calls.size(); ++c)
      graph.sites.add({.unit = UnitId(u), .call = model::CallId(c)});
  }
  code.forEachFunction([&](FuncId id) {
    code.forEachStatement(id, [&](model::BlockId block, model::StatementId at, const model::Statement &statement) {
      if (statement.kind != model::StatementKind::Call) return;
      CallSite &site = graph.sites[graph.site(code.function(id).unit, model::CallId(uint32_t(statement.number)))];
      site.caller = id;
      site.statement = at;
      site.block = block;
    });
  });
  graph.open.assign(graph.sites.size(), false);
  return graph;
}

namespace {

// All (site, callee) pairs, in any order, with repetitions.
struct Pairs {
  std::vector<std::pair<uint32_t, uint32_t>> list;
  void add(CallSiteId site, FuncId callee) { list.emplace_back(site.value(), callee.value()); }
};

void addDirect(const CallGraph &graph, const Code &code, const LastWords &lastWords, Pairs &pairs, Gaps &gaps) {
  for (uint32_t i = 0; i < graph.sites.size(); ++i) {
    const CallSite &site = graph.sites[CallSiteId(i)];
    if (!site.caller.valid()) continue;
    const model::Unit &unit = code.unit(site.unit);
    const model::Call &call = unit.calls[site.call];
    if (call.flags & model::kAssembly)
      gaps.add(GapKind::InlineAssembly, unit.strings[call.file], call.line,
               std::string(code.function(site.caller).display));
    FuncId callee = code.directCallee(site.unit, call);
    if (callee.valid() && !lastWords.calls[i]) pairs.add(CallSiteId(i), callee);
  }
}

// By call site through a member: the functions that are submitted to be called there. They are threads (pools.h).
std::map<CallSiteId, std::set<FuncId>> findJobs(const CallGraph &graph, const Code &code, PointsToBuilder &pointsTo,
                                                const Wrappers &wrappers) {
  std::map<std::string_view, std::set<FuncId>> byMember;
  for (const Unbound &call : pointsTo.unbound()) {
    const CallSite &site = graph.sites[call.site];
    FuncId direct = code.directCallee(site.unit, code.unit(site.unit).calls[site.call]);
    const knowledge::Row *row = direct.valid() ? wrappers.spawns[direct.value()] : nullptr;
    if (call.kind != Unbound::Kind::Entry || !row || !row->has(knowledge::kJob)) continue;
    for (FuncId job : pointsTo.targets(call).functions) byMember[row->name].insert(job);
  }
  std::map<CallSiteId, std::set<FuncId>> found;
  for (const Pool &pool : wrappers.pools)
    if (auto jobs = byMember.find(pool.member); jobs != byMember.end())
      for (CallSiteId site : pool.calls) found[site].insert(jobs->second.begin(), jobs->second.end());
  return found;
}

// What is registered for the values of a key runs at the end of each thread that sets one.
bool isOfKey(const knowledge::Row *row) {
  return row && row->action == knowledge::Action::AtThreadExit && row->argument == knowledge::kNone;
}

void addDestructorsOfKeys(const CallGraph &graph, const Code &code, const std::set<FuncId> &destructors, Pairs &pairs) {
  static constexpr std::string_view kSetters[] = {"pthread_setspecific", "tss_set"};
  for (uint32_t i = 0; !destructors.empty() && i < graph.sites.size(); ++i) {
    const CallSite &site = graph.sites[CallSiteId(i)];
    FuncId callee = code.directCallee(site.unit, code.unit(site.unit).calls[site.call]);
    if (callee.valid() && std::ranges::find(kSetters, code.function(callee).name) != std::end(kSetters))
      for (FuncId destructor : destructors) pairs.add(CallSiteId(i), destructor);
  }
}

void addIndirect(CallGraph &graph, const Code &code, const LastWords &lastWords, PointsToBuilder &pointsTo,
                 const Wrappers &wrappers, Pairs &pairs, Gaps &gaps) {
  std::map<CallSiteId, std::set<FuncId>> jobs = findJobs(graph, code, pointsTo, wrappers);
  std::set<FuncId> destructors;
  for (const Unbound &call : pointsTo.unbound()) {
    const CallSite &site = graph.sites[call.site];
    const model::Unit &unit = code.unit(site.unit);
    const model::Call &row = unit.calls[site.call];
    FuncId direct = code.directCallee(site.unit, row);
    if (call.kind == Unbound::Kind::Entry && direct.valid() &&
        (!code.function(direct).known || runsElsewhere(code.function(direct).known)))
      continue; // a thread's entry, directly or by a wrapper: threads.h has it
    const Targets &found = pointsTo.targets(call);
    if (call.kind == Unbound::Kind::Entry && direct.valid() && isOfKey(code.function(direct).known)) {
      destructors.insert(found.functions.begin(), found.functions.end());
      continue;
    }
    auto isJob = [&](CallSiteId at, FuncId callee) { return jobs.contains(at) && jobs.at(at).contains(callee); };
    for (FuncId callee : found.functions)
      if (code.function(callee).name != "main" && !lastWords.dies[callee.value()] && !isJob(call.site, callee))
        pairs.add(call.site, callee); // nobody calls main through a pointer
    if (call.kind != Unbound::Kind::Call || !found.open) continue;
    graph.open[call.site.value()] = true;
    gaps.add(GapKind::OpenCallTarget, unit.strings[row.file], row.line,
             std::string(code.function(site.caller).display));
  }
  addDestructorsOfKeys(graph, code, destructors, pairs);
}

void addUnknown(const Code &code, Gaps &gaps, const CallGraph &graph) {
  code.forEachFunction([&](FuncId id) {
    const Function &function = code.function(id);
    if (function.external() && !function.known && !function.name.starts_with("llvm.") && !graph.callers[id].empty())
      gaps.add(GapKind::UnknownExternal, {}, 0, std::string(function.name));
  });
}

// By counting, not by sorting all pairs: calls through widely held pointers make many.
void connect(CallGraph &graph, const Code &code, Pairs &pairs) {
  ListsBuilder<CallSiteId, FuncId> all(graph.sites.size());
  for (auto [site, callee] : pairs.list) all.add(CallSiteId(site), FuncId(callee));
  pairs.list = {};
  Lists<CallSiteId, FuncId> raw = all.finish();
  ListsBuilder<FuncId, CallSiteId> callers(code.symbols.functions.size());
  graph.callees.starts.push_back(0);
  for (uint32_t i = 0; i < graph.sites.size(); ++i) {
    auto row = raw[CallSiteId(i)];
    std::vector<FuncId> sorted(row.begin(), row.end());
    std::ranges::sort(sorted);
    sorted.erase(std::ranges::unique(sorted).begin(), sorted.end());
    for (FuncId callee : sorted) {
      graph.callees.items.push_back(callee);
      callers.add(callee, CallSiteId(i));
    }
    graph.callees.starts.push_back(static_cast<uint32_t>(graph.callees.items.size()));
  }
  graph.callers = callers.finish();
}

void findRecursion(CallGraph &graph, const Code &code) {
  uint32_t count = static_cast<uint32_t>(code.symbols.functions.size());
  ListsBuilder<FuncId, uint32_t> builder(count);
  std::vector<bool> callsItself(count, false);
  for (uint32_t i = 0; i < graph.sites.size(); ++i) {
    FuncId caller = graph.sites[CallSiteId(i)].caller;
    if (!caller.valid()) continue;
    for (FuncId callee : graph.callees[CallSiteId(i)]) {
      builder.add(caller, callee.value());
      if (callee == caller) callsItself[caller.value()] = true;
    }
  }
  Lists<FuncId, uint32_t> called = builder.finish();
  Components found = findComponents(count, [&](uint32_t function) { return called[FuncId(function)]; });
  ListsBuilder<ComponentId, FuncId> members(found.count);
  for (uint32_t i = 0; i < count; ++i) {
    members.add(ComponentId(found.of[i]), FuncId(i));
    graph.componentOf.push_back(ComponentId(found.of[i]));
  }
  graph.components = members.finish();
  graph.recursive.assign(found.count, false);
  for (uint32_t i = 0; i < count; ++i)
    if (callsItself[i] || graph.components[graph.componentOf[i]].size() > 1)
      graph.recursive[graph.componentOf[i].value()] = true;
}

} // namespace

CallGraph withoutWideCalls(const CallGraph &graph, const Code &code) {
  static constexpr size_t kNarrow = 4; // targets
  auto isNarrow = [&](CallSiteId site) { return graph.callees[site].size() <= kNarrow; };
  Pairs pairs;
  for (uint32_t i = 0; i < graph.sites.size(); ++i)
    for (FuncId callee : graph.callees[CallSiteId(i)])
      if (isNarrow(CallSiteId(i)) || std::ranges::none_of(graph.callers[callee], isNarrow))
        pairs.add(CallSiteId(i), callee);
  CallGraph narrow;
  narrow.sites = graph.sites;
  narrow.firstSite = graph.firstSite;
  narrow.open = graph.open;
  connect(narrow, code, pairs);
  findRecursion(narrow, code);
  return narrow;
}

bool runsElsewhere(const knowledge::Row *row) {
  using enum knowledge::Action;
  return row && (row->action == Spawn || row->action == Handler || row->action == AtExit);
}

void connectCalls(CallGraph &graph, const Code &code, PointsToBuilder &pointsTo, const Wrappers &wrappers, Gaps &gaps) {
  Pairs pairs;
  LastWords lastWords = findLastWords(code, graph);
  addDirect(graph, code, lastWords, pairs, gaps);
  addIndirect(graph, code, lastWords, pointsTo, wrappers, pairs, gaps);
  connect(graph, code, pairs);
  findRecursion(graph, code);
  addUnknown(code, gaps, graph);
}

} // namespace deadheat::link
