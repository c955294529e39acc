#include <algorithm>

#include "link/program.h"

namespace deadheat::link {

namespace {

constexpr std::string_view kManyTexts[] = {"",
                                           "started in a loop",
                                           "its start is executed more than once",
                                           "its creator has many instances",
                                           "its start is in a recursive function",
                                           "one start makes several",
                                           "called from outside"};
static_assert(std::size(kManyTexts) == static_cast<size_t>(ManyWhy::Outside) + 1);

constexpr std::string_view kDistinctTexts[] = {"all instances may get the same argument", "one instance",
                                               "each instance gets its own element",
                                               "each instance gets a block of its own"};
static_assert(std::size(kDistinctTexts) == static_cast<size_t>(DistinctWhy::Allocated) + 1);

std::string place(std::string_view file, uint32_t line) { return std::string(file) + ":" + std::to_string(line); }

std::string creation(const Program &program, const Thread &thread) {
  if (!thread.createdAt.valid()) return {};
  const CallSite &site = program.calls.sites[thread.createdAt];
  const model::Unit &unit = program.unit(site.unit);
  const model::Call &call = unit.calls[site.call];
  return "started at " + place(unit.strings[call.file], call.line) + " in " +
         std::string(program.function(site.caller).display);
}

std::string describe(const Program &program, ThreadId id) {
  const Thread &thread = program.threads.list[id];
  std::string text = "executed by " + threadName(program, id);
  if (std::string made = creation(program, thread); !made.empty()) text += ", " + made;
  if (!thread.many) return text + ", one instance";
  text += ", many instances: " + std::string(kManyTexts[static_cast<size_t>(thread.manyWhy)]);
  if (thread.createdAt.valid()) text += "; " + std::string(kDistinctTexts[static_cast<size_t>(thread.distinct)]);
  return text;
}

std::string names(const Program &program, const std::vector<ThreadId> &threads) {
  std::string text;
  for (ThreadId id : threads) text += (text.empty() ? "" : ", ") + threadName(program, id);
  return text.empty() ? "none" : text;
}

// The place of the call before the statement: what made the difference.
std::string placeBefore(const Program &program, FuncId function, model::StatementId statement) {
  const model::Unit &unit = program.unitOf(function);
  for (uint32_t s = statement.value(); s-- > 0;) {
    const model::Statement &row = unit.statements[model::StatementId(s)];
    if (row.kind != model::StatementKind::Call) continue;
    const model::Call &call = unit.calls[model::CallId(static_cast<uint32_t>(row.number))];
    return place(unit.strings[call.file], call.line);
  }
  return place(program.function(function).file, program.function(function).line);
}

} // namespace

std::string threadName(const Program &program, ThreadId id) {
  const Thread &thread = program.threads.list[id];
  if (thread.kind == ThreadKind::Main) return "main";
  if (thread.kind == ThreadKind::Outside) return "callers from outside";
  return std::string(program.function(thread.entries[0]).display);
}

std::vector<ThreadFact> explain(const Program &program, FuncId function) {
  std::vector<ThreadFact> facts;
  const Threads &threads = program.threads;
  auto executing = threads.executing[function];
  for (ThreadId id : executing) facts.push_back({id, describe(program, id)});
  if (executing.empty()) return {{ThreadId(), "executed by no thread that is known"}};
  for (ThreadId id : executing)
    for (uint32_t other = 0; other < threads.list.size(); ++other)
      if (ThreadId(other) != id && !threads.mayRunTogether(id, ThreadId(other)))
        facts.push_back({ThreadId(other), threadName(program, id) + " and " + threadName(program, ThreadId(other)) +
                                              " never run together: one is joined before the other starts"});
  std::vector<ThreadId> before = threads.sets[threads.liveAtEntry[function.value()]];
  facts.push_back({ThreadId(), "started and perhaps not joined, at entry: " + names(program, before)});
  for (const Threads::Change &row : threads.changes[function]) {
    std::vector<ThreadId> live = threads.liveAt(function, row.statement);
    if (live == before) continue;
    facts.push_back(
        {ThreadId(), "after " + placeBefore(program, function, row.statement) + ": " + names(program, live)});
    before = std::move(live);
  }
  return facts;
}

} // namespace deadheat::link
