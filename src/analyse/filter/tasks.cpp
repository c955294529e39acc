#include "analyse/filter/tasks.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

namespace deadheat::analyse {

using link::FuncId;
using model::Statement;

namespace {

bool isOfFuture(llvm::StringRef display) {
  return display.starts_with("std::future<") || display.starts_with("std::shared_future<") ||
         display.starts_with("std::__basic_future<");
}

// Inlined, it asks the task to complete. Who waits for some time only does so where the task has ended.
bool isWait(llvm::StringRef display) {
  if (isOfFuture(display)) return display.contains(">::get()") || display.contains(">::wait()");
  return display.contains("::_M_complete_async()");
}

bool isEnd(llvm::StringRef display) {
  if (isOfFuture(display)) return display.contains("::~");
  return display.contains("std::__future_base::_Async_state_impl<") && display.contains("::_M_dispose()");
}

constexpr unsigned kMaxCallers = 3; // of whom each calls the next
constexpr size_t kMaxCalls = 64;    // of one function

std::vector<link::CallSiteId> startsOf(const link::Thread &thread) {
  std::vector<link::CallSiteId> starts = thread.usersStarts;
  if (starts.empty() && thread.createdAt.valid()) starts.push_back(thread.createdAt);
  return starts;
}

} // namespace

bool isTask(const link::Program &program, const link::Thread &thread) {
  return !thread.entries.empty() &&
         llvm::StringRef(program.function(thread.entries[0]).display).contains("std::__future_base::_Async_state");
}

Tasks::Tasks(const link::Program &program)
    : program_(program), code_{program.units, program.symbols},
      mayWait_(static_cast<unsigned>(program.symbols.functions.size())) {
  std::vector<FuncId> pending;
  auto add = [&](FuncId function) {
    if (mayWait_.test(function.value())) return;
    mayWait_.set(function.value());
    pending.push_back(function);
  };
  code_.forEachFunction([&](FuncId id) {
    if (isWait(code_.function(id).display)) add(id);
  });
  for (const link::Thread &thread : program.threads.list)
    if (isTask(program, thread))
      for (link::CallSiteId start : startsOf(thread)) starts_.insert(positionOf(program.calls.sites[start]));
  while (!pending.empty()) {
    FuncId waiting = pending.back();
    pending.pop_back();
    for (link::CallSiteId site : program.calls.callers[waiting])
      if (FuncId caller = program.calls.sites[site].caller; caller.valid() && !isLibrarys(caller)) add(caller);
  }
  for (const link::Thread &thread : program.threads.list)
    if (isTask(program, thread))
      for (link::CallSiteId start : startsOf(thread)) addStart(start, kMaxCallers);
}

// Who calls a function that starts a task and waits for nothing has started it.
void Tasks::addStart(link::CallSiteId id, unsigned depth) {
  const link::CallSite &start = program_.calls.sites[id];
  if (!start.caller.valid() || around_.contains(id)) return;
  Around around = lookAround(start.caller, [&](const Statement &call) { return waits(call, start); });
  const bool isKept = around.waits.empty();
  around_.emplace(id, std::move(around));
  const auto &callers = program_.calls.callers[start.caller];
  if (!isKept || depth == 0 || callers.size() > kMaxCalls) return;
  for (link::CallSiteId caller : callers) {
    addStart(caller, depth - 1);
    startedBy_[id].push_back(caller);
  }
}

// Loops that wait wait for all that there is, whether or not they have a round.
Tasks::Around Tasks::lookAround(FuncId function, llvm::function_ref<bool(const Statement &)> isWait) const {
  Around around{link::findLoops(code_, function), {}, {}};
  const uint32_t first = code_.bodyOf(function).firstBlock.value();
  code_.forEachStatement(function, [&](model::BlockId block, model::StatementId at, const Statement &statement) {
    if (statement.kind != model::StatementKind::Call || !isWait(statement)) return;
    around.waits.insert(at);
    around.waitingLoops.insert(around.loops.outermost[block.value() - first]);
  });
  around.waitingLoops.erase(link::Loops::kNone);
  return around;
}

// What ends where the task is started is but a temporary.
bool Tasks::waits(const Statement &call, const link::CallSite &start) const {
  const model::CallId id(static_cast<uint32_t>(call.number));
  const model::Unit &unit = code_.unit(start.unit);
  bool isElsewhere = unit.calls[id].line != unit.calls[start.call].line;
  const bool isAny = llvm::any_of(program_.calls.callees[program_.calls.site(start.unit, id)], [&](FuncId callee) {
    return mayWait_.test(callee.value()) || (isElsewhere && isEnd(code_.function(callee).display));
  });
  return isAny && !isForOther(unit.calls[id], start);
}

Tasks::Position Tasks::positionOf(const link::CallSite &site) const {
  const model::Call &call = code_.unit(site.unit).calls[site.call];
  return {site.caller, call.line, call.column};
}

// What it shares with a task was made where another one is started: std::async is often inlined.
bool Tasks::isForOther(const model::Call &wait, const link::CallSite &start) const {
  bool isOther = false, isOwn = false;
  auto look = [&](link::Location state) {
    if (!state.valid()) return;
    for (const link::Place &place : program_.pointsTo.places(state).list) {
      const link::Object &object = program_.pointsTo.objects()[place.object];
      if (object.kind != link::ObjectKind::Heap || object.function != start.caller) continue;
      const Position made = positionOf(program_.calls.sites[object.call]);
      isOwn |= made == positionOf(start);
      isOther |= starts_.contains(made);
    }
  };
  for (uint32_t i = 0; i < wait.argumentCount; ++i) {
    const auto &argument = code_.unit(start.unit).arguments[model::ArgumentId(wait.firstArgument.value() + i)];
    const link::Location given = program_.pointsTo.of(start.caller, argument.value);
    look(given);
    if (given.valid()) look(program_.pointsTo.content(given)); // a future has a pointer to it
  }
  return isOther && !isOwn;
}

// A function of the program may go through all futures; those of the library know one.
bool Tasks::isForMany(const Statement &call, link::UnitId unit) const {
  return llvm::any_of(calleesOf(call, unit),
                      [&](FuncId callee) { return mayWait_.test(callee.value()) && !isLibrarys(callee); });
}

// A search, from the beginning of each block once.
bool Tasks::leadsTo(const Step &step, const Around &around, uint32_t from, model::StatementId begin) const {
  const model::Unit &unit = code_.unitOf(step.function);
  const model::Function &body = code_.bodyOf(step.function);
  const link::Loops &loops = around.loops;
  const uint32_t startLoop = loops.outermost[from];
  llvm::BitVector seen(body.blockCount);
  std::vector<std::pair<uint32_t, model::StatementId>> pending; // a block, and where in it
  pending.push_back({from, begin});
  while (!pending.empty()) {
    auto [number, at] = pending.back();
    pending.pop_back();
    const model::Block &block = unit.blocks[model::BlockId(body.firstBlock.value() + number)];
    const uint32_t end = block.firstStatement.value() + block.statementCount;
    uint32_t s = at.value();
    const bool isWithStart = startLoop == link::Loops::kNone || loops.outermost[number] == startLoop;
    auto isDone = [&](model::StatementId statement) {
      return around.waits.contains(statement) &&
             (isWithStart || isForMany(unit.statements[statement], code_.function(step.function).unit));
    };
    while (s < end && s != step.statement.value() && !isDone(model::StatementId(s))) ++s;
    if (s < end && s == step.statement.value()) return true;
    if (s < end) continue; // the task has ended
    for (uint32_t e = 0; e < block.edgeCount; ++e) {
      const model::Edge &edge = unit.edges[model::EdgeId(block.firstEdge.value() + e)];
      uint32_t loop = loops.outermost[number];
      bool hasWaited = loop != loops.outermost[edge.target] && around.waitingLoops.contains(loop);
      if (hasWaited || edge.kind == model::EdgeKind::Unwind || seen.test(edge.target)) continue;
      seen.set(edge.target);
      const model::Block &next = unit.blocks[model::BlockId(body.firstBlock.value() + edge.target)];
      pending.push_back({edge.target, next.firstStatement});
    }
  }
  return false;
}

bool Tasks::isBeside(const Step &step, link::CallSiteId id) const {
  const link::CallSite &start = program_.calls.sites[id];
  const uint32_t first = code_.bodyOf(step.function).firstBlock.value();
  return leadsTo(step, around_.at(id), start.block.value() - first, model::StatementId(start.statement.value() + 1));
}

bool Tasks::isLibrarys(FuncId function) const { return (code_.function(function).flags & model::kLibrary) != 0; }

std::span<const FuncId> Tasks::calleesOf(const Statement &call, link::UnitId unit) const {
  return program_.calls.callees[program_.calls.site(unit, model::CallId(static_cast<uint32_t>(call.number)))];
}

// Whoever was called from there may wait before it goes on: `finish() { task_.get(); return total_; }`.
bool Tasks::isBeforeWaits(const Step &step) const {
  if (!mayWait_.test(step.function.value())) return true;
  const link::UnitId unit = code_.function(step.function).unit;
  const Around around = lookAround(step.function, [&](const Statement &call) {
    return llvm::any_of(calleesOf(call, unit), [&](FuncId callee) { return mayWait_.test(callee.value()); });
  });
  return leadsTo(step, around, 0,
                 code_.unitOf(step.function).blocks[code_.bodyOf(step.function).firstBlock].firstStatement);
}

bool Tasks::isBeside(const std::vector<Step> &steps, link::ThreadId task) const {
  std::vector<link::CallSiteId> starts = startsOf(program_.threads.list[task]);
  for (size_t next = 0; next < starts.size(); ++next)
    if (auto found = startedBy_.find(starts[next]); found != startedBy_.end())
      for (link::CallSiteId caller : found->second)
        if (around_.contains(caller) && !llvm::is_contained(starts, caller)) starts.push_back(caller);
  auto isBehindStart = [&](const Step &step) {
    return llvm::any_of(starts, [&](link::CallSiteId id) {
      return program_.calls.sites[id].caller == step.function && isBeside(step, id);
    });
  };
  auto from = llvm::find_if(steps, isBehindStart);
  return from != steps.end() && std::all_of(std::next(from), steps.end(), [&](const Step &step) {
           return isLibrarys(step.function) || isBeforeWaits(step);
         });
}

} // namespace deadheat::analyse
