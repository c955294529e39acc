#include <set>

#include "link/program.h"
#include "link/ways.h"

namespace deadheat::link {

namespace {

constexpr std::string_view kManyTexts[] = {"",
                                           "started in a loop",
                                           "it starts others like itself",
                                           "one function has it started twice, for different objects",
                                           "its start is executed more than once",
                                           "its creator has many instances",
                                           "its start is in a recursive function",
                                           "one start makes several",
                                           "called from outside"};
static_assert(std::size(kManyTexts) == static_cast<size_t>(ManyWhy::Outside) + 1);

constexpr std::string_view kDistinctTexts[] = {
    "all instances may get the same argument", "one instance", "each instance gets its own element",
    "each instance gets a block of its own", "each instance gets a number of its own"};
static_assert(std::size(kDistinctTexts) == static_cast<size_t>(DistinctWhy::Numbered) + 1);

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
  if (!thread.many) return text + (thread.inTurn ? ", one instance after the other" : ", one instance");
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

// What a library's own entry comes to call of the user's, the first found; or itself.
std::string usersEntry(const Program &program, FuncId entry) {
  std::vector<FuncId> pending{entry};
  std::set<FuncId> seen{entry};
  Code code{program.units, program.symbols};
  for (size_t i = 0; i < pending.size(); ++i) {
    const Function &function = program.function(pending[i]);
    if (function.external() || function.known) continue;
    if (!(function.flags & model::kLibrary)) return std::string(function.display);
    code.forEachStatement(pending[i], [&](model::BlockId, model::StatementId, const model::Statement &statement) {
      if (statement.kind != model::StatementKind::Call) return;
      CallSiteId site = program.calls.site(function.unit, model::CallId(static_cast<uint32_t>(statement.number)));
      for (FuncId callee : program.calls.callees[site])
        if (seen.insert(callee).second) pending.push_back(callee);
    });
  }
  return std::string(program.function(entry).display);
}

// [block]: control comes there without an exception.
std::vector<bool> usualBlocks(const model::Unit &unit, const model::Function &body) {
  std::vector<bool> seen(body.blockCount, false);
  std::vector<uint32_t> pending{0};
  while (!pending.empty()) {
    uint32_t b = pending.back();
    pending.pop_back();
    if (seen[b]) continue;
    seen[b] = true;
    const model::Block &block = unit.blocks[model::BlockId(body.firstBlock.value() + b)];
    for (uint32_t e = 0; e < block.edgeCount; ++e)
      if (const model::Edge &edge = unit.edges[model::EdgeId(block.firstEdge.value() + e)];
          edge.kind != model::EdgeKind::Unwind)
        pending.push_back(edge.target);
  }
  return seen;
}

// Where the live set changes, along the usual ways: after calls, and where a loop that joins is left.
class Changes {
public:
  Changes(const Program &program, FuncId function, std::vector<ThreadFact> &facts)
      : program_(program), function_(function), unit_(program.unitOf(function)), body_(program.bodyOf(function)),
        facts_(facts) {}

  void add() {
    std::vector<bool> usual = usualBlocks(unit_, body_);
    for (uint32_t b = 0; b < body_.blockCount; ++b) {
      const model::Block &block = blockAt(b);
      if (!usual[b]) continue;
      for (uint32_t s = 0; s + 1 < block.statementCount; ++s) {
        model::StatementId at(block.firstStatement.value() + s);
        compare("after ", at, model::StatementId(at.value() + 1));
      }
      for (uint32_t e = 0; e < block.edgeCount; ++e)
        addEdge(block, unit_.edges[model::EdgeId(block.firstEdge.value() + e)]);
    }
  }

private:
  const model::Block &blockAt(uint32_t b) const { return unit_.blocks[model::BlockId(body_.firstBlock.value() + b)]; }
  std::vector<ThreadId> live(model::StatementId at) const { return program_.threads.liveAt(function_, at); }

  void addEdge(const model::Block &block, const model::Edge &edge) {
    if (edge.kind == model::EdgeKind::Unwind || block.statementCount == 0) return;
    model::StatementId last(block.firstStatement.value() + block.statementCount - 1);
    model::StatementId target = blockAt(edge.target).firstStatement;
    if (unit_.statements[last].kind == model::StatementKind::Call)
      compare("after ", last, target);
    else if (live(target).size() < live(last).size())
      compare("after the loop at ", last, target);
  }

  void compare(std::string_view words, model::StatementId before, model::StatementId after) {
    if (live(before) == live(after)) return;
    facts_.push_back({ThreadId(), std::string(words) +
                                      placeBefore(program_, function_, model::StatementId(before.value() + 1)) + ": " +
                                      names(program_, live(after))});
  }

  const Program &program_;
  FuncId function_;
  const model::Unit &unit_;
  const model::Function &body_;
  std::vector<ThreadFact> &facts_;
};

// Calls by name that have no callees: last_words.h.
void addLastWords(const Program &program, FuncId function, std::vector<ThreadFact> &facts) {
  UnitId unitId = program.function(function).unit;
  const model::Unit &unit = program.unit(unitId);
  Code code{program.units, program.symbols};
  code.forEachStatement(function, [&](model::BlockId, model::StatementId, const model::Statement &statement) {
    if (statement.kind != model::StatementKind::Call) return;
    model::CallId id(static_cast<uint32_t>(statement.number));
    const model::Call &call = unit.calls[id];
    FuncId callee = code.directCallee(unitId, call);
    if (!callee.valid() || !program.calls.callees[program.calls.site(unitId, id)].empty()) return;
    facts.push_back({ThreadId(), "not followed at " + place(unit.strings[call.file], call.line) +
                                     ": the program ends in " + std::string(program.function(callee).display)});
  });
}

// Nobody executes it: everybody who calls it ends the program by that.
std::string whyNobody(const Program &program, FuncId function) {
  bool isCalled = false;
  Code code{program.units, program.symbols};
  for (const CallSite &site : program.calls.sites)
    isCalled |=
        site.caller.valid() && code.directCallee(site.unit, program.unit(site.unit).calls[site.call]) == function;
  bool isFollowed = !program.calls.callers[function].empty();
  return isCalled && !isFollowed ? "executed by no thread that is known: it is called only where the program ends"
                                 : "executed by no thread that is known";
}

} // namespace

std::string threadName(const Program &program, ThreadId id) {
  const Thread &thread = program.threads.list[id];
  if (thread.kind == ThreadKind::Main) return "main";
  if (thread.kind == ThreadKind::Outside) return "callers from outside";
  return usersEntry(program, thread.entries[0]);
}

std::vector<ThreadFact> explain(const Program &program, FuncId function) {
  std::vector<ThreadFact> facts;
  const Threads &threads = program.threads;
  auto executing = threads.executing[function];
  for (ThreadId id : executing) {
    facts.push_back({id, describe(program, id)});
    if (std::string way = wayTo(program, id, function); !way.empty()) facts.push_back({id, "  by " + way});
  }
  if (executing.empty()) return {{ThreadId(), whyNobody(program, function)}};
  for (ThreadId id : executing)
    for (uint32_t other = 0; other < threads.list.size(); ++other)
      if (ThreadId(other) != id && !threads.mayRunTogether(id, ThreadId(other)))
        facts.push_back({ThreadId(other), threadName(program, id) + " and " + threadName(program, ThreadId(other)) +
                                              " never run together: one is joined before the other starts"});
  facts.push_back({ThreadId(), "started and perhaps not joined, at entry: " +
                                   names(program, threads.sets[threads.liveAtEntry[function.value()]])});
  if (program.function(function).external()) return facts;
  Changes(program, function, facts).add();
  addLastWords(program, function, facts);
  return facts;
}

} // namespace deadheat::link
