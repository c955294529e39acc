// Passes over the blocks until nothing changes, then one more that records.
#include "analyse/symbolic/function.h"

#include <algorithm>

#include "analyse/guard/recorder.h"
#include "link/definitions.h"
#include "link/field_names.h"

namespace deadheat::analyse {

using model::StatementKind;

FunctionAnalysis::FunctionAnalysis(const Environment &environment, link::FuncId function)
    : environment_(environment), program_(environment.program), function_(function),
      unitId_(program_.function(function).unit), unit_(program_.unit(unitId_)), body_(program_.bodyOf(function)),
      values_(body_.valueCount), definitions_(body_.valueCount), named_(body_.valueCount), slices_(program_, function),
      counters_(program_, function), tickets_(program_, function, environment.atomicSteps, environment.oneWay),
      entry_(body_.blockCount), unwound_(body_.blockCount) {
  for (uint32_t number = 0; number < body_.parameterCount; ++number) {
    NodeInfo info = {.points = program_.pointsTo.of(function, model::Operand::value(model::ValueId(number)))};
    values_[number] = Value::must({known(names_.nodes.formal(number), info), 0});
  }
  for (uint32_t block = 0; block < body_.blockCount; ++block) {
    const model::Block &row = unit_.blocks[model::BlockId(body_.firstBlock.value() + block)];
    for (uint32_t i = 0; i < row.statementCount; ++i) {
      model::StatementId id(row.firstStatement.value() + i);
      if (at(id).result.valid()) definitions_[at(id).result.value()] = id;
    }
  }
  spinExits_ = findSpinExits(program_, environment_.atomicSteps, function_);
  waitExits_ = findWaitExits(program_, function_, environment_.waiters);
  loopEnds_ = findLoopEnds(program_, function_);
  edgesAround_ = findEdgesAround(environment_, function_);
  for (const auto &[edge, all] : waitExits_)
    for (const Waited &waited : all)
      if (waited.result.valid()) tested_.try_emplace(waited.result.value());
  orderBlocks();
}

void FunctionAnalysis::orderBlocks() {
  std::vector<bool> seen(body_.blockCount);
  std::vector<std::pair<uint32_t, uint32_t>> stack; // block, next edge
  if (body_.blockCount > 0) stack.push_back({0, 0});
  if (!stack.empty()) seen[0] = true;
  while (!stack.empty()) {
    auto &[block, next] = stack.back();
    const model::Block &row = unit_.blocks[model::BlockId(body_.firstBlock.value() + block)];
    if (next == row.edgeCount) {
      order_.push_back(block);
      stack.pop_back();
      continue;
    }
    uint32_t target = unit_.edges[model::EdgeId(row.firstEdge.value() + next++)].target;
    if (!seen[target]) {
      seen[target] = true;
      stack.push_back({target, 0});
    }
  }
  std::ranges::reverse(order_);
  place_.resize(body_.blockCount);
  for (uint32_t i = 0; i < order_.size(); ++i) place_[order_[i]] = i;
  for (uint32_t block : order_) {
    const model::Block &row = unit_.blocks[model::BlockId(body_.firstBlock.value() + block)];
    for (uint32_t i = 0; i < row.edgeCount; ++i)
      if (uint32_t target = unit_.edges[model::EdgeId(row.firstEdge.value() + i)].target; isBackEdge(block, target))
        loops_.push_back({target, block});
  }
}

static bool foldInto(State &folded, State state) {
  Lockset meet = Lockset::join(folded.locks, state.locks);
  bool changed = meet != folded.locks;
  folded.locks = state.locks = meet;
  return folded.join(state) || changed;
}

// `if (s) sem_wait(s);`, where a caller gives s: who has none need not wait, and the way without it says nothing about the other one.
bool FunctionAnalysis::waitForMissing(State &state, const State &other) const {
  bool changed = false;
  for (const HeldLock &seen : other.after) {
    const NodeId root = names_.nodes.root(seen.lock.node);
    const Fact *fact = state.facts.find(factOf(root));
    if (names_.nodes[root].kind != NodeKind::Formal || !fact || *fact != Fact{true, 0}) continue;
    if (containsSorted(state.after, seen)) continue;
    insertSorted(state.after, seen);
    changed = true;
  }
  return changed;
}

// Equal locksets are one state. Too many become one for good, so that no pass undoes what another did.
bool FunctionAnalysis::addState(States &states, State state) const {
  if (states.collapsed) return foldInto(states.list[0], std::move(state));
  for (State &known : states.list) {
    if (!known.locks.isAlike(state.locks)) continue;
    const bool changed = waitForMissing(known, state);
    waitForMissing(state, known);
    return known.join(state) || changed;
  }
  states.list.push_back(std::move(state));
  if (states.list.size() <= kMaxStates) return true;
  for (size_t i = 1; i < states.list.size(); ++i) foldInto(states.list[0], std::move(states.list[i]));
  states.list.resize(1);
  states.collapsed = true;
  return true;
}

// A lock is given back by way of the value: `prev->lock` of a walk that holds one lock until it has the next.
static bool isReleasedBy(const Environment &environment, link::FuncId function, model::ValueId value) {
  const link::Code code{environment.program.units, environment.program.symbols};
  const link::Definitions definitions(code, function);
  const model::Unit &unit = code.unitOf(function);
  auto releases = [&](link::FuncId callee) {
    const knowledge::Row *row = environment.row(callee);
    if (row || code.function(callee).external()) return row && row->action == knowledge::Action::Release;
    return std::ranges::any_of(environment.summary(callee).exits,
                               [](const Exit &exit) { return !exit.locks.released().empty(); });
  };
  bool found = false;
  code.forEachStatement(function, [&](model::BlockId, model::StatementId, const model::Statement &statement) {
    if (found || statement.kind != StatementKind::Call) return;
    const model::Call &call = unit.calls[model::CallId(static_cast<uint32_t>(statement.number))];
    const link::FuncId callee = code.directCallee(code.function(function).unit, call);
    const link::Origin origin = link::originOf(definitions, link::argumentOf(unit, call, 0));
    found = callee.valid() && origin.base == model::Operand::value(value) && releases(callee);
  });
  return found;
}

enum class Use : uint8_t { Returned, Released, None };

// What becomes of a lock that is reached by the value, or by a value that it goes on as: it is given back, or else the object is returned with it.
static Use useOf(const Environment &environment, link::FuncId function, model::ValueId value) {
  const link::Code code{environment.program.units, environment.program.symbols};
  std::vector<model::ValueId> all{value};
  bool isReturned = false;
  for (size_t i = 0; i < all.size(); ++i) {
    if (isReleasedBy(environment, function, all[i])) return Use::Released;
    code.forEachStatement(function, [&](model::BlockId, model::StatementId, const model::Statement &statement) {
      if (statement.a != model::Operand::value(all[i])) return;
      isReturned |= statement.kind == StatementKind::Return;
      if (statement.kind == StatementKind::Phi && std::ranges::find(all, statement.result) == all.end())
        all.push_back(statement.result);
    });
  }
  return isReturned ? Use::Returned : Use::None;
}

// The name means the same throughout the function, and in its callers.
static bool isLasting(NodeKind kind) { return isObject(kind) || kind == NodeKind::Formal; }

void FunctionAnalysis::enterPhis(uint32_t from, uint32_t to, State &state) {
  const model::Block &row = unit_.blocks[model::BlockId(body_.firstBlock.value() + to)];
  struct Incoming {
    model::ValueId result;
    Value value;
    std::optional<Fact> fact;
    bool isTaken;
  };
  std::vector<Incoming> incoming; // all are read before the first is assigned
  for (uint32_t i = 0; i < row.statementCount; ++i) {
    const model::Statement &phi = at(model::StatementId(row.firstStatement.value() + i));
    if (phi.kind != StatementKind::Phi) break;
    if (phi.number == from)
      incoming.push_back({phi.result, evaluate(phi.a), factAbout(phi.a, state), isTakenInState(phi.a, true, state)});
  }
  std::vector<std::pair<model::ValueId, HeldLock>> moved; // locks that have another name from here on
  for (Use use : {Use::Returned, Use::Released})          // who leaves a loop has it under both names
    for (const Incoming &phi : incoming) {
      const Value &known = values_[phi.result.value()];
      if (!phi.value.isMust() || (!known.isTop() && (!known.isMust() || known.targets() == phi.value.targets())))
        continue;
      if (use == Use::Returned && isLasting(names_.nodes[phi.value.targets()[0].node].kind)) continue;
      state.locks.rename([&](HeldLock &held) {
        if (held.lock.node != phi.value.targets()[0].node || useOf(environment_, function_, phi.result) != use)
          return true;
        moved.push_back({phi.result, held});
        moved.back().second.lock.offset -= phi.value.targets()[0].offset;
        return false;
      });
    }
  for (const Incoming &phi : incoming) {
    redefine(phi.result, state);
    define(phi.result, phi.value, state, isBackEdge(from, to) ? Assignment::Round : Assignment::Phi);
    if (phi.fact)
      state.facts.set(factOf(phi.result), *phi.fact);
    else
      state.facts.erase(factOf(phi.result));
    if (phi.isTaken) takeNumber(model::Operand::value(phi.result), true, state);
  }
  for (auto &[value, held] : moved) {
    const Value named = evaluate(model::Operand::value(value));
    if (!named.isMust()) continue;
    held.lock = {named.targets()[0].node, held.lock.offset + named.targets()[0].offset};
    state.locks.addHeld({held});
  }
}

// What is waited for is others', also on ways on which nobody else got to know it.
void FunctionAnalysis::leaveWait(const Waited &waited, State &state) {
  auto add = [&](Address read) { insertSorted(state.after, HeldLock{read, LockMode::After}); };
  if (waited.result.valid()) {
    const Outcome outcome = outcomeOf(model::Operand::value(waited.result), state);
    const Tested &tested = tested_[waited.result.value()];
    std::ranges::for_each(outcome == Outcome::Any    ? tested.all
                          : outcome == Outcome::Zero ? tested.ifZero
                                                     : tested.ifNot,
                          add);
  } else if (Value address = evaluate(waited.address); address.isMust())
    add(address.targets()[0]);
}

// Of an array, whichever they are.
void FunctionAnalysis::holdAll(const model::Operand &lock, State &state) {
  const Value last = evaluate(lock);
  if (!last.isMust() || names_.nodes[last.targets()[0].node].kind != NodeKind::Element) return;
  const Node element = names_.nodes[last.targets()[0].node];
  std::optional<NodeId> any = names_.nodes.element({element.base, element.offset}, element.stride, kAnyKey);
  if (!any) return;
  NodeInfo info = infoOf(last.targets()[0].node);
  state.locks.acquireAll({known(*any, info), last.targets()[0].offset});
}

// Some way from `block` leads back to where a loop around it begins, and none from `next` does without passing that.
bool FunctionAnalysis::leavesLoop(uint32_t block, uint32_t next) const {
  return std::ranges::any_of(loops_, [&](const auto &loop) {
    auto [first, last] = loop;
    llvm::BitVector inside(body_.blockCount); // from which `last` is reached, without `first`
    inside.set(first);
    inside.set(last);
    for (bool grown = true; grown;) {
      grown = false;
      for (uint32_t i = static_cast<uint32_t>(order_.size()); i-- > 0;) {
        const model::Block &row = unit_.blocks[model::BlockId(body_.firstBlock.value() + order_[i])];
        for (uint32_t e = 0; e < row.edgeCount && !inside.test(order_[i]); ++e)
          if (uint32_t target = unit_.edges[model::EdgeId(row.firstEdge.value() + e)].target;
              target != first && inside.test(target)) {
            inside.set(order_[i]);
            grown = true;
          }
      }
    }
    return inside.test(block) && !inside.test(next);
  });
}

// `while (pending > 0) sleep();`: whatever the number, who stops asking for it comes after who has changed it.
std::optional<Address> FunctionAnalysis::polled(const model::Operand &tested) const {
  if (std::optional<Address> signal = toldBy(tested)) return signal;
  model::StatementId made = tested.isValue() ? definitions_[tested.value().value()] : model::StatementId();
  bool isTest = made.valid() && at(made).kind == StatementKind::Compare && at(made).b.isNumber();
  return isTest ? toldBy(at(made).a) : std::nullopt;
}

void FunctionAnalysis::flow(uint32_t from, uint32_t to, State state) {
  if (auto spin = spinExits_.find({from, to}); spin != spinExits_.end()) leaveSpin(spin->second, state);
  if (auto wait = waitExits_.find({from, to}); wait != waitExits_.end())
    for (const Waited &waited : wait->second) leaveWait(waited, state);
  if (auto loop = loopEnds_.find({from, to}); loop != loopEnds_.end())
    for (const LoopEnd &end : loop->second)
      end.isWait ? comeAfter(evaluate(end.object), false, state) : holdAll(end.object, state);
  if (auto around = edgesAround_.find({from, to}); around != edgesAround_.end()) {
    const bool isTaking = around->second == LeftOut::Taking;
    state.isReleaseLeftOut |= !isTaking && !state.isLockLeftOut;
    state.isLockLeftOut = isTaking;
  }
  enterPhis(from, to, state);
  changed_ |= addState(entry_[to], std::move(state));
}

// It is no parameter, or one that may be this number.
bool FunctionAnalysis::isGiven(const model::Operand &operand, int64_t number) {
  if (!operand.isValue() || operand.value().value() >= body_.parameterCount) return true;
  auto [known, isNew] = given_.try_emplace(operand.value().value());
  if (isNew) known->second = numbersGiven(program_, function_, operand.value().value());
  return !known->second || known->second->contains(number);
}

// Of a switch over what the fact is about. The default is for numbers that have no way of their own.
bool FunctionAnalysis::mayTake(const model::Block &from, const model::Edge &edge, const Fact &fact) const {
  if (edge.kind == model::EdgeKind::Case) return fact.equal == (fact.number == edge.value);
  if (edge.kind != model::EdgeKind::Default || !fact.equal) return true;
  for (uint32_t i = 0; i < from.edgeCount; ++i)
    if (const model::Edge &other = unit_.edges[model::EdgeId(from.firstEdge.value() + i)];
        other.kind == model::EdgeKind::Case && other.value == fact.number)
      return false;
  return true;
}

void FunctionAnalysis::leaveBlock(uint32_t block, const std::vector<State> &states) {
  const model::Block &row = unit_.blocks[model::BlockId(body_.firstBlock.value() + block)];
  if (row.statementCount == 0) return;
  model::StatementId lastId(row.firstStatement.value() + row.statementCount - 1);
  const model::Statement &last = at(lastId);
  auto predicate = static_cast<model::Predicate>(last.number);
  for (uint32_t i = 0; i < row.edgeCount; ++i) {
    const model::Edge &edge = unit_.edges[model::EdgeId(row.firstEdge.value() + i)];
    for (const State &state : edge.kind == model::EdgeKind::Unwind ? unwound_[block] : states) {
      State next = state;
      if (last.kind == StatementKind::Branch) {
        std::optional<bool> holds = decide(predicate, last.a, last.b, state);
        if (holds && *holds != (i == 0)) continue;
        assume(predicate, last.a, last.b, i == 0, next);
        if (std::optional<Address> signal = polled(last.a); signal && leavesLoop(block, edge.target))
          comeAfter(Value::must(*signal), false, next);
      } else if (last.kind == StatementKind::Switch) {
        std::optional<Fact> fact = factAbout(last.a, state);
        if (fact && !mayTake(row, edge, *fact)) continue;
        if (edge.kind == model::EdgeKind::Case && !isGiven(last.a, edge.value)) continue;
        if (edge.kind == model::EdgeKind::Case) setFact(last.a, {true, edge.value}, next);
      }
      flow(block, edge.target, std::move(next));
    }
  }
}

bool FunctionAnalysis::pass() {
  changed_ = false;
  for (uint32_t block : order_) {
    unwound_[block].clear();
    States after;
    for (size_t i = 0; i < entry_[block].list.size(); ++i)
      for (State &state : runBlock(block, entry_[block].list[i])) addState(after, std::move(state));
    leaveBlock(block, after.list);
  }
  return changed_;
}

void FunctionAnalysis::passUntilStable() {
  for (States &states : entry_) states = {};
  if (!entry_.empty()) entry_[0].list.push_back(State());
  for (uint32_t value = body_.parameterCount; value < values_.size(); ++value)
    if (!values_[value].isTop()) values_[value] = Value();
  climbed_ = widen_ = false;
  for (unsigned passes = 0; pass() && !loops_.empty(); ++passes) widen_ = passes >= kMaxPasses;
}

// What was made of a name before it was lost stands under names that nobody uses any more: all is made anew, with what
// has no name known from the start.
Summary FunctionAnalysis::run() {
  for (unsigned turn = 0; turn < kMaxTurns; ++turn) {
    passUntilStable();
    if (!climbed_) break;
  }
  Recorder recorder(*this);
  recorder_ = &recorder;
  for (uint32_t block : order_) {
    unwound_[block].clear();
    for (const State &state : entry_[block].list) recorder.leave(block, runBlock(block, state));
  }
  recorder_ = nullptr;
  return recorder.finish();
}

} // namespace deadheat::analyse
