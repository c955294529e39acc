#include "driver/check_program.h"

#include <algorithm>
#include <map>
#include <set>

#include "model/names.h"

namespace deadheat::driver {
namespace {

using link::Program;

// As findings.json calls them.
constexpr std::string_view kLockKinds[] = {"",           "mutex",     "recursive", "spin", "rwlock", "spin-rwlock",
                                           "semaphore",  "condition", "barrier",   "once", "event",  "sequence",
                                           "interrupts", "preemption"}; // by knowledge::Kind
static_assert(std::size(kLockKinds) == static_cast<size_t>(knowledge::Kind::Preemption) + 1);

finding::Place placeOf(const Program &program, link::CallSiteId id) {
  if (!id.valid()) return {};
  const link::CallSite &site = program.calls.sites[id];
  const model::Unit &unit = program.unit(site.unit);
  const model::Call &call = unit.calls[site.call];
  return {std::string(unit.strings[call.file]), call.line, call.column};
}

bool isLibrary(const Program &program, link::FuncId function) {
  return (program.function(function).flags & model::kLibrary) != 0;
}

// std::thread is started inside its own header: the user's calls that led there, or the call itself.
std::vector<link::CallSiteId> usersSites(const Program &program, link::CallSiteId start) {
  if (!start.valid()) return {start};
  std::vector<link::CallSiteId> queue = {start}, found;
  std::set<link::CallSiteId> seen = {start};
  for (size_t i = 0; i < queue.size(); ++i) {
    link::FuncId caller = program.calls.sites[queue[i]].caller;
    if (!caller.valid() || !isLibrary(program, caller)) {
      found.push_back(queue[i]);
      continue;
    }
    for (link::CallSiteId above : program.calls.callers[caller])
      if (seen.insert(above).second) queue.push_back(above);
  }
  std::ranges::sort(found);
  return found.empty() ? std::vector{start} : found;
}

std::vector<finding::ProgramThread> threads(const Program &program) {
  std::vector<finding::ProgramThread> list;
  for (uint32_t i = 0; i < program.threads.list.size(); ++i) {
    const link::Thread &thread = program.threads.list[link::ThreadId(i)];
    for (link::CallSiteId site : usersSites(program, thread.createdAt))
      list.push_back({link::threadName(program, link::ThreadId(i)), placeOf(program, site), thread.many});
  }
  return list;
}

// The locks that calls name, by the words of the source. A wrapper's parameter is a name too, as far as it goes.
std::vector<finding::ProgramLock> locks(const Program &program) {
  std::set<std::pair<std::string, std::string_view>> found;
  for (const link::CallSite &site : program.calls.sites) {
    const model::Unit &unit = program.unit(site.unit);
    const model::Call &call = unit.calls[site.call];
    if (!call.callee.isSymbol() || !site.caller.valid()) continue;
    link::FuncId callee = program.symbols.target(site.unit, call.callee.symbol()).function;
    const knowledge::Row *row = callee.valid() ? program.function(callee).known : nullptr;
    if (!row || row->action != knowledge::Action::Acquire || row->object < 0) continue;
    uint32_t last = row->has(knowledge::kEveryArgument) ? call.argumentCount : row->object + 1u;
    for (uint32_t i = row->object; i < std::min(last, call.argumentCount); ++i) {
      const model::Argument &argument = unit.arguments[model::ArgumentId(call.firstArgument.value() + i)];
      std::string name(unit.strings[argument.path]);
      if (!name.empty()) found.insert({std::move(name), kLockKinds[static_cast<size_t>(row->kind)]});
    }
  }
  std::vector<finding::ProgramLock> list;
  for (const auto &[name, kind] : found) list.push_back({name, std::string(kind)});
  return list;
}

std::vector<finding::Gap> gaps(const Program &program, const CheckModels &models) {
  std::map<std::string, uint64_t> counts;
  for (const link::Gap &gap : program.gaps.list()) ++counts[std::string(link::name(gap.kind))];
  counts["unit-without-model"] += models.failed.size();
  counts["library-without-model"] += models.without.size();
  std::vector<finding::Gap> list;
  for (const auto &[kind, count] : counts)
    if (count != 0) list.push_back({kind, count});
  return list;
}

finding::SiteCounts sites(const Program &program) {
  finding::SiteCounts counts;
  for (const model::LinkedUnit &linked : program.units) {
    counts.early += linked.unit.sites.size();
    counts.late += linked.unit.late.size();
    counts.mapped += std::ranges::count_if(linked.unit.late,
                                           [](const model::LateAccess &late) { return model::isMapped(late.origin); });
  }
  return counts;
}

} // namespace

finding::Program describeProgram(const Program &program, const CheckModels &models) {
  finding::Program description;
  description.shared = program.sharedCount;
  description.threads = threads(program);
  description.locks = locks(program);
  description.gaps = gaps(program, models);
  description.sites = sites(program);
  return description;
}

std::vector<SharedAccess> sharedAccesses(const Program &program, const SourceNames &names) {
  std::set<SharedAccess> found;
  for (uint32_t u = 0; u < program.shared.size(); ++u) {
    const model::Unit &unit = program.unit(link::UnitId(u));
    for (uint32_t s = 0; s < unit.sites.size(); ++s) {
      if (!program.isShared(link::UnitId(u), model::SiteId(s))) continue;
      const model::Site &site = unit.sites[model::SiteId(s)];
      const model::Function &function = unit.functions[site.function];
      found.insert({{names.shown(unit.strings[site.file]), site.line, site.column},
                    std::string(unit.strings[function.display]),
                    std::string(model::name(site.kind)),
                    std::string(unit.strings[site.path])});
    }
  }
  return {found.begin(), found.end()};
}

} // namespace deadheat::driver
