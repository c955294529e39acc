// What each statement does to a state.
#include "analyse/symbolic/function.h"

#include <algorithm>
#include <cstdlib>

#include "analyse/guard/recorder.h"

namespace deadheat::analyse {

using model::Operand;
using model::Statement;
using model::StatementId;
using model::StatementKind;

static constexpr int64_t kMaxStep = 1 << 20; // bytes by which a pointer walks
static constexpr int64_t kMaxHandedOn = 256; // bytes of an object that is copied as a whole, pointers and all

// A name that is a longer form of one that the value has already grows with each turn of a loop.
static bool grows(const NodeTable &nodes, const Value &before, const Value &now) {
  for (Address target : now.targets())
    for (Address old : before.targets())
      if (target.node != old.node && nodes.hasAncestor(target.node, old.node)) return true;
  return false;
}

// A loop hands on a value that has no name of its own.
static bool mixesOpaque(const NodeTable &nodes, const Value &joined) {
  return !joined.isMust() && std::ranges::any_of(joined.targets(), [&](Address target) {
    return nodes[target.node].kind == NodeKind::Opaque;
  });
}

// One of several objects that were found in memory: which one, the value itself says best. A lock in it then has a name
// that what is guarded shares.
bool FunctionAnalysis::isBestNamedByItself(const Value &value, const State &state) const {
  return value.isPointer() && !value.isMust() && std::ranges::all_of(value.targets(), [&](Address target) {
           return names_.nodes[target.node].depth > 0 && !isPrivate(target.node, state);
         });
}

// The first round of a loop finds the element that a parameter chooses, later ones the one that the loop's own number does: the
// latter stands for both.
Value FunctionAnalysis::joinRounds(const Value &before, const Value &now) const {
  if (before.isMust() && now.isMust()) {
    const Address first = before.targets()[0], second = now.targets()[0];
    const Node &a = names_.nodes[first.node], &b = names_.nodes[second.node];
    bool areElements = a.kind == NodeKind::Element && b.kind == NodeKind::Element && first.offset == second.offset &&
                       a.base == b.base && a.offset == b.offset && a.stride == b.stride;
    if (areElements && (a.index >= kFormalKey) != (b.index >= kFormalKey)) return a.index >= kFormalKey ? now : before;
  }
  return Value::join(before, now);
}

// Elements of one array, whichever: which one it is, the value itself says, and it is one of that array.
std::optional<Value> FunctionAnalysis::asElement(model::ValueId result, const Value &value) {
  if (!value.isPointer()) return {};
  auto nodeOf = [&](Address target) -> const Node & { return names_.nodes[target.node]; };
  const Address first = value.targets()[0];
  const Node array = nodeOf(first); // a copy: the table grows
  auto isAlike = [&](Address target) {
    const Node &node = nodeOf(target);
    return node.kind == NodeKind::Element && node.base == array.base && node.offset == array.offset &&
           node.stride == array.stride && target.offset == first.offset;
  };
  auto isOfRound = [](const Node &step) { return step.kind == NodeKind::Element || step.kind == NodeKind::Opaque; };
  if (!std::ranges::all_of(value.targets(), isAlike) || names_.nodes.any(array.base, isOfRound)) return {};
  std::optional<NodeId> element = names_.nodes.element({array.base, array.offset}, array.stride, result.value());
  if (!element) return {};
  named_.set(result.value());
  Value one = Value::must({known(*element, NodeInfo(infoOf(first.node))), first.offset});
  return value.mayBeNull() ? one.orNull() : one;
}

// A pointer that each round of a loop moves by as many bytes walks through an array, which begins where the pointer did.
std::optional<Value> FunctionAnalysis::asWalk(model::ValueId result, const Value &value, Assignment how) {
  auto found = walks_.find(result.value());
  const Value &soFar = values_[result.value()];
  const Value before = soFar.isBottom() && found != walks_.end() ? found->second : soFar;
  if (!before.isMust() || !value.isMust()) return {};
  const Address from = before.targets()[0], to = value.targets()[0];
  const Node walked = names_.nodes[from.node]; // a copy: the table grows
  if (walked.kind == NodeKind::Element && walked.index == result.value() && from.offset == 0) {
    const bool isElement = to.node == from.node, isArray = to.node == walked.base;
    const int64_t distance = isElement ? to.offset : to.offset - walked.offset;
    return (isElement || isArray) && distance % walked.stride == 0 ? std::optional(before) : std::nullopt;
  }
  const int64_t step = std::abs(to.offset - from.offset);
  if (how != Assignment::Round || to.node != from.node || step == 0 || step > kMaxStep) return {};
  std::optional<NodeId> element = names_.nodes.element(from, static_cast<uint32_t>(step), result.value());
  if (!element) return {};
  named_.set(result.value());
  climbed_ = true; // what the first round has named stands under names that no other round uses
  Value walk = Value::must({known(*element, {.points = program_.pointsTo.of(function_, Operand::value(result))}), 0});
  return walks_[result.value()] = walk;
}

void FunctionAnalysis::define(model::ValueId result, const Value &value, State &state, Assignment how) {
  if (!result.valid()) return;
  bool isPhi = how == Assignment::Phi || how == Assignment::Round;
  std::optional<Value> walk = isPhi ? asWalk(result, value, how) : std::nullopt;
  Value next = walk ? *walk
               : how == Assignment::Function && !values_[result.value()].isTop()
                   ? value
                   : joinRounds(values_[result.value()], value);
  std::optional<Value> element;
  if (isPhi && !walk && (!next.isMust() || how == Assignment::Round)) element = asElement(result, next);
  if (element) next = *element;
  Value &known = values_[result.value()];
  bool counts =
      how == Assignment::Round && known.isNumber() && next != known && !element; // a number that each round changes
  if (counts || isBestNamedByItself(next, state)) next = Value::top();
  if (next != known) {
    bool climbs = !known.isBottom();
    if (climbs && (widen_ || (isPhi && !walk && (grows(names_.nodes, known, next) || mixesOpaque(names_.nodes, next)))))
      next = Value::top();
    climbed_ |= climbs && next.isTop() && !known.isTop();
    changed_ |= next != known;
    known = next;
  }
  if (value.isNumber() && !known.isNumber())
    state.facts.set(factOf(result), {true, value.number()});
  else if (!isPhi)
    state.facts.erase(factOf(result));
}

// The value is assigned anew: names that stand on it mean something else from here on.
void FunctionAnalysis::redefine(model::ValueId value, State &state) {
  if (!value.valid() || !named_.test(value.value())) return;
  auto stands = [&](NodeId node) {
    return names_.nodes.any(node, [&](const Node &step) {
      return (step.kind == NodeKind::Opaque || step.kind == NodeKind::Element) && step.index == value.value();
    });
  };
  state.locks.forget([&](Address lock) { return stands(lock.node); });
  std::erase_if(state.after, [&](const HeldLock &seen) { return stands(seen.lock.node); });
  state.memory.eraseIf([&](const auto &row) { return stands(row.first.node); });
  for (auto &[location, content] : state.memory.rows())
    for (Address target : content.targets())
      if (stands(target.node)) {
        content = Value::top();
        break;
      }
  std::erase_if(state.detached, stands);
  std::erase_if(state.detachedIn, [&](Address slot) { return stands(slot.node); });
  std::erase_if(state.taken, [&](const TakenNumber &taken) { return stands(taken.number); });
  state.facts.eraseIf(
      [&](const auto &row) { return (row.first >> 32) != 0 && stands(NodeId(static_cast<uint32_t>(row.first))); });
}

// Read from a thread-local variable, or the number, or from the object, that the thread was started with.
bool FunctionAnalysis::isThreadsOwn(const Value &index) const {
  if (!index.isMust()) return false;
  const Node &root = names_.nodes[names_.nodes.root(index.targets()[0].node)];
  if (root.kind == NodeKind::Global)
    return (program_.variable(link::GlobalId(root.index)).flags & model::kThreadLocal) != 0;
  return root.kind == NodeKind::Formal &&
         isEnteredWith(Choice::by(root.index, names_.nodes.loads(index.targets()[0].node)));
}

bool FunctionAnalysis::isEnteredWith(Choice choice) const {
  if (!choice.valid() || choice.formal() != 0 || choice.isComputed()) return false;
  auto own = environment_.enteredApart.find(function_);
  return own != environment_.enteredApart.end() && choice.loads() <= own->second;
}

// Where the operand leads to, by members only: from what value, and how many bytes on.
static std::pair<Operand, int64_t> memberAt(const model::Unit &unit, const std::vector<model::StatementId> &definitions,
                                            Operand operand) {
  for (int64_t offset = 0;;) {
    model::StatementId made = operand.isValue() ? definitions[operand.value().value()] : model::StatementId();
    if (!made.valid()) return {operand, offset};
    const Statement &statement = unit.statements[made];
    if (statement.kind != StatementKind::Field && statement.kind != StatementKind::Copy) return {operand, offset};
    if (statement.kind == StatementKind::Field) offset += statement.number;
    operand = statement.a;
  }
}

// A function that such threads execute writes the member, of whichever object.
static bool isWrittenBy(const Environment &environment, const std::vector<link::ThreadId> &threads, uint32_t field) {
  const link::Program &program = environment.program;
  const link::Code code{program.units, program.symbols};
  bool isWritten = false;
  code.forEachFunction([&](link::FuncId each) {
    auto executes = [&](link::ThreadId thread) {
      return std::ranges::binary_search(program.threads.executing[each], thread);
    };
    if (isWritten || program.function(each).external() || std::ranges::none_of(threads, executes)) return;
    const link::UnitId unit = program.function(each).unit;
    code.forEachStatement(each, [&](model::BlockId, model::StatementId, const Statement &statement) {
      if (statement.kind != StatementKind::Store || !statement.site.valid()) return;
      isWritten |= environment.fields.of(unit, statement.site) == field;
    });
  });
  return isWritten;
}

// Read from where the loop that starts the threads has put another number for each, and none of them changes it: also if points-to thinks
// that a callee may have.
static bool isReadFromOwn(const Environment &environment, link::FuncId function,
                          const std::vector<model::StatementId> &definitions, Operand operand) {
  const link::Program &program = environment.program;
  const model::Unit &unit = program.unitOf(function);
  const Operand read = memberAt(unit, definitions, operand).first;
  model::StatementId made = read.isValue() ? definitions[read.value().value()] : model::StatementId();
  if (!made.valid() || unit.statements[made].kind != StatementKind::Load) return false;
  const Statement &load = unit.statements[made];
  const auto [base, offset] = memberAt(unit, definitions, load.a);
  const bool isOfArgument = program.bodyOf(function).parameterCount != 0 && base == Operand::value(model::ValueId(0));
  const uint32_t field = load.site.valid() ? environment.fields.of(program.function(function).unit, load.site) : 0;
  if (!isOfArgument || field == 0) return false;
  std::vector<link::ThreadId> threads;
  for (uint32_t i = 0; i < program.threads.list.size(); ++i) {
    const link::Thread &thread = program.threads.list[link::ThreadId(i)];
    if (std::ranges::find(thread.entries, function) == thread.entries.end()) continue;
    if (!std::ranges::binary_search(thread.numbers, offset)) return false;
    threads.push_back(link::ThreadId(i));
  }
  return !isWrittenBy(environment, threads, field);
}

uint32_t FunctionAnalysis::keyOf(model::Operand operand, const Value &index) {
  if (isThreadsOwn(index)) return kOwnKey;
  if (environment_.enteredApart.contains(function_) && isReadFromOwn(environment_, function_, definitions_, operand))
    return kOwnKey;
  if (isEnteredWith(choiceOfSlice(operand))) return kOwnKey;
  if (index.isMust() && index.targets()[0].offset == 0) {
    const Node &node = names_.nodes[index.targets()[0].node];
    if (node.kind == NodeKind::Formal && node.index < kFormals) return kFormalKey + node.index;
  }
  if (!operand.isValue()) return kAnyKey;
  named_.set(operand.value().value());
  return operand.value().value();
}

Choice FunctionAnalysis::choiceOfSlice(const Operand &operand) {
  std::optional<Slices::Source> given = slices_.of(operand);
  if (!given) return {};
  const uint32_t how = given->isBlock ? Choice::kSlice | Choice::kRow : Choice::kSlice;
  return Choice::by(given->parameter, given->loads, how);
}

Choice FunctionAnalysis::choiceOfWalk(const Statement &statement) {
  std::optional<Slices::Source> given = slices_.ofWalk(statement);
  return given ? Choice::by(given->parameter, given->loads, Choice::kSlice) : Choice();
}

Choice FunctionAnalysis::choiceByComputing(const Operand &operand) {
  std::optional<uint32_t> given = slices_.computedFrom(operand);
  if (!given) return {};
  return Choice::by(*given, 0, slices_.isInRow(operand) ? Choice::kComputed | Choice::kRow : Choice::kComputed);
}

Choice FunctionAnalysis::choiceOf(const Value &index) const {
  if (!index.isMust()) return {};
  NodeId node = index.targets()[0].node;
  const Node &root = names_.nodes[names_.nodes.root(node)];
  return root.kind == NodeKind::Formal ? Choice::by(root.index, names_.nodes.loads(node)) : Choice();
}

void FunctionAnalysis::stepIndex(const Statement &statement, State &state) {
  if (!statement.result.valid()) return;
  Value base = evaluate(statement.a);
  Value index = evaluate(statement.b);
  if (index.isNumber())
    return define(statement.result, base.moved(index.number() * statement.number), state, Assignment::Function);
  uint32_t key = keyOf(statement.b, index);
  Choice choice = key == kOwnKey ? Choice() : choiceOfSlice(statement.b);
  if (!choice.valid() && key != kOwnKey) choice = choiceOf(index);
  if (!choice.valid() && key != kOwnKey) choice = choiceByComputing(statement.b);
  const bool isTakenPart = isTaken(statement.b, true, state) || tickets_.chooses(statement.b);
  if (!choice.valid() && key != kOwnKey && isTakenPart) choice = Choice::taken();
  NodeInfo info = {.points = program_.pointsTo.of(function_, Operand::value(statement.result))};
  Value all;
  for (Address target : base.targets()) {
    // An element of an element of the same size is an element: a pointer that walks.
    const Node &node = names_.nodes[target.node];
    bool walks = node.kind == NodeKind::Element && node.stride == statement.number && target.offset == 0;
    Address array = walks ? Address{node.base, node.offset} : target;
    const Choice walked = walks ? choiceOfWalk(statement) : Choice();
    const uint32_t step = isEnteredWith(walked) ? kOwnKey : statement.result.value();
    std::optional<NodeId> element = names_.nodes.element(array, static_cast<uint32_t>(statement.number),
                                                         walks ? step : key, walks ? walked : choice);
    if (walks) named_.set(statement.result.value());
    all = Value::join(all, element ? Value::must({known(*element, info), 0}) : Value::top());
  }
  define(statement.result, all.isBottom() ? Value::top() : all, state, Assignment::Function);
}

static bool within(int64_t offset, int64_t first, int64_t bytes) {
  return offset >= first && (bytes < 0 || offset < first + bytes);
}

void FunctionAnalysis::stepTransfer(StatementId id, const Statement &statement, State &state) {
  Value to = evaluate(statement.a);
  Value from = statement.kind == StatementKind::Transfer ? evaluate(statement.b) : Value();
  if (recorder_) {
    if (from.isPointer()) recorder_->access(id, statement.other, statement.b, from, {.range = true}, state);
    recorder_->access(id, statement.site, statement.a, to, {.write = true, .range = true}, state);
  }
  std::vector<std::pair<Address, Value>> copied;
  for (const auto &[location, value] : state.memory.rows())
    for (Address source : from.targets())
      if (location.node == source.node && within(location.offset, source.offset, statement.number))
        copied.push_back({{source.node, location.offset - source.offset}, value});
  link::Location where = program_.pointsTo.of(function_, statement.a);
  for (Address target : to.targets()) {
    if (statement.number > 0 && statement.number <= kMaxHandedOn) keep(target, from, state);
    clobber(target, where, 0, state);
    for (auto &[location, value] : state.memory.rows())
      if (location.node == target.node && within(location.offset, target.offset, statement.number))
        value = statement.kind == StatementKind::Fill && statement.b.isNumber() && statement.b.index == 0
                    ? Value::number(0)
                    : Value::top();
    for (const auto &[distance, value] : copied)
      write(Value::must({target.node, target.offset + distance.offset}),
            from.isMust() && to.isMust() ? value : Value::top(), where, 0, state);
  }
}

const Answers &FunctionAnalysis::answers() const {
  if (!answers_) answers_.emplace(link::Code{program_.units, program_.symbols}, function_);
  return *answers_;
}

// What was found there by who wrote `written`; none: it was counted up, or the like.
bool FunctionAnalysis::learnsBy(model::ValueId found, const model::Operand &written) const {
  return found.valid() && (written.kind != model::OperandKind::None || answers().isAsked(found));
}

void FunctionAnalysis::stepMemory(StatementId id, const Statement &statement, State &state) {
  Value pointer = evaluate(statement.a);
  link::Location where = program_.pointsTo.of(function_, statement.a);
  uint32_t field = statement.site.valid() ? environment_.fields.named(unitId_, statement.site) : 0;
  bool isAtomic = statement.kind != StatementKind::Load && statement.kind != StatementKind::Store;
  bool isWrite = statement.kind != StatementKind::Load && statement.kind != StatementKind::AtomicLoad;
  bool isRange = statement.site.valid() && unit_.sites[statement.site].kind == model::AccessKind::RangeRead;
  if (recorder_)
    recorder_->access(id, statement.site, statement.a, pointer,
                      {.write = isWrite,
                       .atomic = isAtomic,
                       .range = isRange,
                       .unordered = isAtomic && answers().isRelaxed(statement)},
                      state);
  if (isAtomic && isWrite) noteUnordered(statement, state);
  const bool isTold = statement.kind == StatementKind::AtomicLoad && !answers().isRelaxed(statement);
  Value before;
  if (statement.result.valid())
    before = statement.kind == StatementKind::AtomicUpdate ? Value::top()
                                                           : readAll(pointer, where, field, statement.result, state);
  if (statement.result.valid() && before.isMust())
    known(before.targets()[0].node, {.isAtomic = isTold, .text = textOf(statement.site)});
  if (statement.kind == StatementKind::AtomicUpdate && !answers().isRelaxed(statement) &&
      learnsBy(statement.result, statement.b))
    comeAfter(pointer, false, state);
  if (isTold && statement.result.valid() && pointer.isMust()) told_[statement.result.value()] = pointer.targets()[0];
  if (isWrite && !environment_.atomicSteps.isWrapper(function_)) freeOwnLock(statement, state);
  if (isWrite) {
    Value value = statement.kind == StatementKind::AtomicUpdate ? Value::top() : evaluate(statement.b);
    write(pointer, value, where, field, state);
    noteIterator(pointer, value);
    moveCounter(id, state);
    if (statement.kind == StatementKind::AtomicUpdate)
      for (Address target : pointer.targets()) keep(target, evaluate(statement.b), state);
  }
  if (statement.result.valid()) {
    redefine(statement.result, state);
    define(statement.result, before, state);
    if (pointer.isMust() && values_[statement.result.value()].isTop())
      insertSorted(nameless_[pointer.targets()[0]], statement.result);
    noticeTaking(pointer, statement.result, state);
    noticeIndexed(statement.result, state);
  }
}

void FunctionAnalysis::step(StatementId id, State &state) {
  const Statement &statement = at(id);
  switch (statement.kind) {
  case StatementKind::Stack:
    if (!statement.result.valid()) return; // nobody uses it
    return define(statement.result,
                  Value::must({known(names_.nodes.stack(function_.value(), id.value()),
                                     {.points = program_.pointsTo.of(function_, Operand::value(statement.result))}),
                               0}),
                  state);
  case StatementKind::Copy: {
    std::optional<Fact> fact = factAbout(statement.a, state);
    define(statement.result, evaluate(statement.a), state, Assignment::Function);
    if (fact) state.facts.set(factOf(statement.result), *fact);
    return;
  }
  case StatementKind::Field:
    return define(statement.result, evaluate(statement.a).moved(statement.number), state, Assignment::Function);
  case StatementKind::Index: redefine(statement.result, state); return stepIndex(statement, state);
  case StatementKind::Compute: redefine(statement.result, state); return define(statement.result, Value::top(), state);
  case StatementKind::Compare: {
    redefine(statement.result, state);
    std::optional<bool> holds =
        decide(static_cast<model::Predicate>(statement.number), statement.a, statement.b, state);
    return define(statement.result, holds ? Value::number(*holds) : Value::top(), state);
  }
  case StatementKind::Choose:
    redefine(statement.result, state);
    return define(statement.result, Value::join(evaluate(statement.a), evaluate(statement.b)), state,
                  Assignment::Function);
  case StatementKind::Load:
  case StatementKind::Store:
  case StatementKind::AtomicLoad:
  case StatementKind::AtomicStore:
  case StatementKind::AtomicUpdate: return stepMemory(id, statement, state);
  case StatementKind::Transfer:
  case StatementKind::Fill: return stepTransfer(id, statement, state);
  case StatementKind::Phi: // done on the way into the block
  case StatementKind::Fence:
  case StatementKind::Call:
  case StatementKind::Return:
  case StatementKind::Branch:
  case StatementKind::Switch:
  case StatementKind::Jump:
  case StatementKind::Stop: return;
  }
}

// A call may part the state; each part runs on to the end of the block.
std::vector<State> FunctionAnalysis::runBlock(uint32_t block, State state) {
  std::vector<State> states = {std::move(state)};
  const model::Block &row = unit_.blocks[model::BlockId(body_.firstBlock.value() + block)];
  for (uint32_t i = 0; i < row.statementCount && !states.empty(); ++i) {
    StatementId id(row.firstStatement.value() + i);
    if (at(id).kind != StatementKind::Call) {
      for (State &each : states) step(id, each);
      continue;
    }
    States after;
    for (State &each : states) {
      if (i + 1 == row.statementCount) unwound_[block].push_back(each);
      for (State &next : stepCall(id, std::move(each))) addState(after, std::move(next));
    }
    states = std::move(after.list);
  }
  return states;
}

} // namespace deadheat::analyse
