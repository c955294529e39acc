#include "analyse/filter/signals.h"

#include <algorithm>

#include "analyse/filter/tasks.h"

namespace deadheat::analyse {

using link::FuncId;
using model::Statement;
using model::StatementId;
using model::StatementKind;

namespace {

constexpr size_t kMaxTelling = 4096; // functions that lead to what tells
constexpr size_t kMaxUp = 128;       // calls on the way up
constexpr int kMaxLooks = 2;         // calls on the way to an atomic

constexpr bool waits(knowledge::Action action) {
  using enum knowledge::Action;
  return action == ConditionWait || action == Wait || action == Barrier || action == Join;
}

} // namespace

Signals::Signals(const World &world)
    : world_(world), code_{world.environment.program.units, world.environment.program.symbols}, permits_(world) {
  const auto &summaries = world.environment.summaries;
  for (uint32_t f = 0; f < summaries.size(); ++f)
    for (const Entry &entry : summaries[f].entries) {
      link::Location where = entry.where;
      if (!where.valid()) where = summaries[f].names.info[entry.lvalue.node.value()].points.moved(entry.lvalue.offset);
      if (!where.valid() || !tells(world, entry, where)) continue;
      std::vector<Teller> &here = tellers_[world.environment.program.pointsTo.classOf(where.node)][where];
      for (const Source &source : entry.sources) {
        const knowledge::Row *row = rowOf(FuncId(f), code_.unitOf(FuncId(f)).statements[source.statement]);
        here.push_back({.function = FuncId(f),
                        .statement = source.statement,
                        .isCounted = row && row->kind == knowledge::Kind::Semaphore,
                        .isBarrier = row && row->action == knowledge::Action::Barrier,
                        .isPassedOn = !row && source.callee.valid()});
      }
    }
  findSleepers();
}

void Signals::findSleepers() {
  const link::Program &program = world_.environment.program;
  sleepers_.resize(program.symbols.functions.size());
  std::vector<FuncId> pending;
  code_.forEachFunction([&](FuncId id) {
    if (const knowledge::Row *row = program.function(id).known; row && waits(row->action)) pending.push_back(id);
  });
  while (!pending.empty()) {
    FuncId id = pending.back();
    pending.pop_back();
    if (sleepers_[id.value()]) continue;
    sleepers_[id.value()] = true;
    for (link::CallSiteId site : program.calls.callers[id]) {
      const link::CallSite &call = program.calls.sites[site];
      if (call.caller.valid() && code_.directCallee(call.unit, code_.unit(call.unit).calls[call.call]) == id)
        pending.push_back(call.caller);
    }
  }
}

template <typename Visit> void Signals::forEachTeller(link::Location signal, Visit visit) {
  if (!signal.valid()) return;
  for (const auto &[where, tellers] : tellers_[world_.environment.program.pointsTo.classOf(signal.node)])
    if (world_.foundOut.local().places.mayAlias(where, 1, signal, 1)) std::ranges::for_each(tellers, visit);
}

bool Signals::isOfTask(link::ThreadId thread, link::Location signal) {
  const link::Program &program = world_.environment.program;
  if (!isTask(program, program.threads.list[thread])) return false;
  bool isAny = false, isOther = false;
  forEachTeller(signal, [&](const Teller &teller) {
    const bool isLibrary = code_.function(teller.function).display.find("std::__future_base::") != std::string::npos;
    (isLibrary ? isAny : isOther) = true;
  });
  return isAny && !isOther;
}

bool Signals::isPosted(link::Location signal) {
  bool isAny = false, isOther = false;
  forEachTeller(signal, [&](const Teller &teller) {
    if (!teller.isPassedOn) (teller.isCounted ? isAny : isOther) = true;
  });
  return isAny && !isOther;
}

uint32_t Signals::loopOf(FuncId function, StatementId statement) {
  return shapeOf(function).loops.outermost[code_.blockOf(function, statement)];
}

bool Signals::isBehindWaits(const Leaf &leaf) {
  return std::ranges::any_of(leaf.steps, [&](const Step &step) {
    const std::multiset<uint32_t> &loops = shapeOf(step.function).semaphores;
    if (loops.count(link::Loops::kNone) > 1) return true; // a loop of a few rounds may be none any more
    return std::ranges::any_of(loops, [&](uint32_t loop) {
      return loop != link::Loops::kNone && loop != loopOf(step.function, step.statement);
    });
  });
}

bool Signals::isMadeBefore(const Leaf &leaf, FuncId maker, StatementId statement) {
  return std::ranges::any_of(leaf.steps, [&](const Step &step) {
    if (step.function != maker) return false;
    const uint32_t loop = loopOf(maker, step.statement);
    return loop != link::Loops::kNone && loopOf(maker, statement) != loop;
  });
}

const Signals::Told &Signals::told(link::Location signal) {
  auto [known, isNew] = told_.try_emplace(signal);
  Told &told = known->second;
  if (!isNew) return told;
  const link::Program &program = world_.environment.program;
  std::vector<FuncId> pending;
  auto add = [&](FuncId function, StatementId statement) {
    if (told.size() >= kMaxTelling) return;
    auto [place, isFirst] = told.try_emplace(function);
    place->second.insert(statement);
    if (isFirst) pending.push_back(function);
  };
  forEachTeller(signal, [&](const Teller &teller) { add(teller.function, teller.statement); });
  for (size_t next = 0; next < pending.size(); ++next)
    for (link::CallSiteId site : program.calls.callers[pending[next]])
      if (const link::CallSite &call = program.calls.sites[site]; call.caller.valid()) add(call.caller, call.statement);
  return told;
}

// At an atomic, itself or by a function that it calls by name, and not only at a relaxed one.
bool Signals::looks(FuncId function, int depth) {
  if (world_.environment.summary(function).told) return true;
  if (depth == 0 || world_.environment.program.function(function).external()) return false;
  auto [known, isNew] = looks_.try_emplace(function, false);
  if (!isNew) return known->second;
  const Answers answers(code_, function);
  const link::UnitId unit = code_.function(function).unit;
  bool isLooking = false;
  code_.forEachStatement(function, [&](model::BlockId, StatementId, const Statement &statement) {
    if (isLooking) return;
    if (statement.kind == StatementKind::AtomicLoad) isLooking = !answers.isRelaxed(statement);
    if (statement.kind != StatementKind::Call) return;
    const FuncId callee =
        code_.directCallee(unit, code_.unit(unit).calls[model::CallId(static_cast<uint32_t>(statement.number))]);
    isLooking = callee.valid() && !answers.isRelaxed(statement) && looks(callee, depth - 1);
  });
  return looks_[function] = isLooking;
}

bool Signals::isWait(FuncId function, const Statement &statement) {
  if (statement.kind == StatementKind::AtomicUpdate || statement.kind == StatementKind::AtomicLoad) return true;
  if (statement.kind != StatementKind::Call) return false;
  const link::Program &program = world_.environment.program;
  link::CallSiteId site =
      program.calls.site(code_.function(function).unit, model::CallId(static_cast<uint32_t>(statement.number)));
  return std::ranges::any_of(program.calls.callees[site],
                             [&](FuncId callee) { return sleepers_[callee.value()] || looks(callee, kMaxLooks); });
}

const knowledge::Row *Signals::rowOf(FuncId function, const Statement &statement) const {
  if (statement.kind != StatementKind::Call) return nullptr;
  const model::Call &call = code_.unitOf(function).calls[model::CallId(static_cast<uint32_t>(statement.number))];
  const FuncId callee = code_.directCallee(code_.function(function).unit, call);
  return callee.valid() ? world_.environment.program.function(callee).known : nullptr;
}

const Signals::Shape &Signals::shapeOf(FuncId function) {
  auto [known, isNew] = shapes_.try_emplace(function);
  Shape &shape = known->second;
  if (!isNew) return shape;
  shape.loops = link::findLoops(code_, function);
  shape.exits = findWaitExits(world_.environment.program, function, world_.environment.waiters);
  const uint32_t first = code_.bodyOf(function).firstBlock.value();
  code_.forEachStatement(function, [&](model::BlockId block, StatementId id, const Statement &statement) {
    if (!isWait(function, statement)) return;
    const uint32_t loop = shape.loops.outermost[block.value() - first];
    shape.waits.insert(id);
    shape.waitingLoops.insert(loop);
    const knowledge::Row *row = rowOf(function, statement);
    if (row && row->action == knowledge::Action::Wait) shape.semaphores.insert(loop);
    if (row && row->action == knowledge::Action::Barrier) shape.barriers.insert(id);
  });
  shape.waitingLoops.erase(link::Loops::kNone);
  return shape;
}

// From one of these statements to one of those. Awake: over no wait. A loop that waits is one, though nobody may have to wait in it; so
// is the next round of a loop in which one does.
bool Signals::leadsTo(FuncId function, const Statements &from, const Statements &to, Ways ways,
                      const Statements &around) {
  const Shape &shape = shapeOf(function);
  const bool isAwake = ways == Ways::Awake;
  const Statements &avoided = isAwake ? shape.waits : around;
  const model::Unit &unit = code_.unitOf(function);
  const model::Function &body = code_.bodyOf(function);
  auto at = [&](uint32_t block) -> const model::Block & {
    return unit.blocks[model::BlockId(body.firstBlock.value() + block)];
  };
  std::vector<bool> seen(body.blockCount);
  std::vector<std::pair<uint32_t, uint32_t>> pending; // block, first statement of it
  for (StatementId start : from) pending.push_back({code_.blockOf(function, start), start.value() + 1});
  while (!pending.empty()) {
    auto [block, next] = pending.back();
    pending.pop_back();
    const uint32_t end = at(block).firstStatement.value() + at(block).statementCount;
    auto reached = to.lower_bound(StatementId(next));
    auto stop = avoided.lower_bound(StatementId(next));
    const bool isOver = stop != avoided.end() && stop->value() < end;
    if (reached != to.end() && reached->value() < end && (!isOver || !(*stop < *reached))) return true;
    for (uint32_t e = 0; !isOver && e < at(block).edgeCount; ++e) {
      const uint32_t target = unit.edges[model::EdgeId(at(block).firstEdge.value() + e)].target;
      if (seen[target]) continue;
      const bool isNextRound = target <= block && shape.waitingLoops.contains(shape.loops.outermost[block]);
      if (isAwake && (shape.exits.contains({block, target}) || isNextRound)) continue;
      seen[target] = true;
      pending.push_back({target, at(target).firstStatement.value()});
    }
  }
  return false;
}

// By the same store in the next round, too. Of calls that tell it somewhere inside it is not known whether they wait there.
bool Signals::comesAgain(FuncId function, const Statements &tellers, StatementId statement) {
  const AtomicSteps &atomics = world_.environment.atomicSteps;
  const link::UnitId unit = code_.function(function).unit;
  return std::ranges::any_of(tellers, [&](StatementId teller) {
    return atomics.at(unit, code_.unit(unit).statements[teller]) && !shapeOf(function).waits.contains(teller) &&
           leadsTo(function, {teller}, {statement}, Ways::Awake) && leadsTo(function, {statement}, {teller}, Ways::All);
  });
}

Signals::Order Signals::orderAt(link::Location signal, FuncId function, StatementId statement) {
  const Told &all = told(signal);
  auto tellers = all.find(function);
  if (tellers == all.end()) return {};
  auto [known, isNew] = orders_.try_emplace({signal, function, statement});
  if (!isNew) return known->second;
  Statements others = tellers->second;
  Order order;
  order.isAgain = comesAgain(function, others, statement);
  others.erase(statement);
  order.follows = leadsTo(function, {statement}, others, Ways::All);
  order.precedes = leadsTo(function, others, {statement}, Ways::All);
  const Shape &shape = shapeOf(function);
  std::erase_if(others, [&](StatementId teller) { return shape.waits.contains(teller); });
  order.isAwake = leadsTo(function, others, {statement}, Ways::Awake);
  return known->second = order;
}

bool Signals::isBarrier(link::Location signal) {
  bool isOne = false;
  forEachTeller(signal, [&](const Teller &teller) { isOne |= teller.isBarrier; });
  return isOne;
}

bool Signals::comesRound(const Leaf &from, const Leaf &to, link::Location barrier) {
  const Told &all = told(barrier);
  return std::ranges::any_of(from.steps, [&](const Step &start) {
    const auto tellers = all.find(start.function);
    if (tellers == all.end() || tellers->second.contains(start.statement)) return false;
    Statements barriers = shapeOf(start.function).barriers; // another one will do
    barriers.insert(tellers->second.begin(), tellers->second.end());
    return std::ranges::any_of(to.steps, [&](const Step &end) {
      return end.function == start.function && !barriers.contains(end.statement) &&
             leadsTo(start.function, {start.statement}, {end.statement}, Ways::Around, barriers);
    });
  });
}

Signals::Order Signals::of(const Leaf &leaf, link::ThreadId thread, link::Location signal) {
  Order order;
  if (told(signal).size() >= kMaxTelling) return {.isKnown = false};
  auto add = [&](FuncId function, StatementId statement) {
    Order here = orderAt(signal, function, statement);
    order.follows |= here.follows;
    order.precedes |= here.precedes;
    order.isAwake |= here.isAwake;
  };
  for (const Step &step : leaf.steps) {
    add(step.function, step.statement);
    order.isAgain |= orderAt(signal, step.function, step.statement).isAgain;
  }
  const link::Program &program = world_.environment.program;
  std::vector<FuncId> up{leaf.steps[0].function};
  for (size_t next = 0; next < up.size() && next < kMaxUp; ++next)
    for (link::CallSiteId site : program.calls.callers[up[next]]) {
      const link::CallSite &call = program.calls.sites[site];
      if (!call.caller.valid() || !std::ranges::binary_search(program.threads.executing[call.caller], thread)) continue;
      add(call.caller, call.statement);
      if (std::ranges::find(up, call.caller) == up.end()) up.push_back(call.caller);
    }
  return order;
}

} // namespace deadheat::analyse
