#include "driver/check_program.h"

#include <algorithm>
#include <map>
#include <set>

#include "llvm/ADT/StringExtras.h"

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

// Of all calls in the body.
std::vector<link::FuncId> calleesOf(const Program &program, link::FuncId function) {
  const model::Unit &unit = program.unitOf(function);
  const model::Function &body = program.bodyOf(function);
  std::vector<link::FuncId> callees;
  for (uint32_t b = 0; b < body.blockCount; ++b) {
    const model::Block &block = unit.blocks[model::BlockId(body.firstBlock.value() + b)];
    for (uint32_t s = 0; s < block.statementCount; ++s) {
      const model::Statement &row = unit.statements[model::StatementId(block.firstStatement.value() + s)];
      if (row.kind != model::StatementKind::Call) continue;
      model::CallId call(static_cast<uint32_t>(row.number));
      std::ranges::copy(program.calls.callees[program.calls.site(program.function(function).unit, call)],
                        std::back_inserter(callees));
    }
  }
  return callees;
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

// What a library's own entry function comes to call of the user's; or itself.
std::string usersEntries(const Program &program, link::FuncId entry) {
  std::vector<link::FuncId> queue = {entry};
  std::set<link::FuncId> seen = {entry};
  std::set<std::string_view> found;
  for (size_t i = 0; i < queue.size(); ++i) {
    const link::Function &function = program.function(queue[i]);
    if (function.external()) continue;
    if (!isLibrary(program, queue[i])) {
      found.insert(function.display);
      continue;
    }
    for (link::FuncId callee : calleesOf(program, queue[i]))
      if (seen.insert(callee).second) queue.push_back(callee);
  }
  if (found.empty()) return std::string(program.function(entry).display);
  return llvm::join(found, " or ");
}

std::vector<finding::ProgramThread> threads(const Program &program) {
  std::vector<finding::ProgramThread> list;
  for (const link::Thread &thread : program.threads.list) {
    bool main = thread.kind == link::ThreadKind::Main;
    for (link::FuncId entry : thread.entries) {
      std::string name = main ? "main" : usersEntries(program, entry);
      for (link::CallSiteId site : usersSites(program, thread.createdAt))
        list.push_back({name, placeOf(program, site), thread.many});
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
