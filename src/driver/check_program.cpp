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

std::vector<finding::ProgramThread> threads(const Program &program) {
  std::vector<finding::ProgramThread> list;
  for (const link::Thread &thread : program.threads.list) {
    bool main = thread.kind == link::ThreadKind::Main;
    for (link::FuncId entry : thread.entries) {
      list.push_back({main ? "main" : std::string(program.function(entry).display), placeOf(program, thread.createdAt),
                      thread.many});
      if (main) break; // constructors and exit handlers are part of it
    }
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
