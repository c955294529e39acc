// What a thread has taken out of where others find it (RELAY: unsharing), and where it puts that.
#include <algorithm>

#include "llvm/ADT/StringRef.h"

#include "analyse/symbolic/function.h"

namespace deadheat::analyse {

using model::StatementKind;

// What was read out of it before is taken out with it: `out = head->value; head = head->next;`.
void FunctionAnalysis::detach(NodeId taken, State &state) {
  insertSorted(state.detached, taken);
  for (const auto &[place, content] : state.memory.rows())
    if (content.isMust() && content.targets()[0].offset == 0 && names_.nodes[content.targets()[0].node].base.valid() &&
        names_.nodes.hasAncestor(content.targets()[0].node, taken) && isForThread(place, state))
      insertSorted(state.detachedIn, place);
}

// Two shapes of taking an object out of a container, so that nobody else finds it there any more: what a location
// held is replaced (a queue's head, a pointer handed over), or the neighbours that the object itself names are joined
// (a doubly linked list).
void FunctionAnalysis::noticeRemoval(Address location, const Value &value, State &state) {
  if (isPrivate(location.node, state) || (body_.flags & model::kLibrary) != 0) return;
  if (const Value *old = state.memory.find(location); old && old->isMust() && *old != value)
    detach(NodeId(old->targets()[0].node), state);
  else if (std::optional<NodeId> first = names_.nodes.findLoad(location);
           first && !(value.isMust() && value.targets()[0].node == *first))
    detach(*first, state);
  detachNameless(location, value, state);
  const Node &into = names_.nodes[location.node];
  if (into.kind != NodeKind::Load || !value.isMust()) return;
  const Node &from = names_.nodes[value.targets()[0].node];
  if (from.kind == NodeKind::Load && from.base == into.base && from.offset != into.offset)
    insertSorted(state.detached, into.base);
}

// What was read there in later rounds of a loop has no name but its own.
void FunctionAnalysis::detachNameless(Address location, const Value &value, State &state) {
  auto read = nameless_.find(location);
  if (read == nameless_.end()) return;
  for (model::ValueId result : read->second) {
    if (!values_[result.value()].isTop()) continue;
    NodeId taken = opaque(result);
    if (!value.isMust() || value.targets()[0].node != taken) insertSorted(state.detached, taken);
  }
}

// A place of this function's or its caller's.
bool FunctionAnalysis::isForThread(Address place, const State &state) const {
  return names_.nodes[names_.nodes.root(place.node)].kind == NodeKind::Formal || isPrivate(place.node, state);
}

// What was taken out, and all that is named by it.
bool FunctionAnalysis::isDetached(NodeId node, const State &state) const {
  for (; node.valid(); node = names_.nodes[node].base)
    if (containsSorted(state.detached, node)) return true;
  return false;
}

// A place of this thread's that now holds what was taken out: whoever reads it there has that. Or does not any more.
void FunctionAnalysis::noticeHandOver(Address into, const Value &value, State &state) const {
  bool isTaken = value.isMust() && value.targets()[0].offset == 0 && isDetached(value.targets()[0].node, state);
  if (isTaken && isForThread(into, state))
    insertSorted(state.detachedIn, into);
  else
    std::erase(state.detachedIn, into);
}

// What is read from such a place; or from what was taken out, and has lost its name since that was written: what the latter holds counts
// as taken out with it, like all that is named by it.
void FunctionAnalysis::noticeTaking(const Value &from, model::ValueId result, State &state) {
  if (state.detached.empty() && state.detachedIn.empty()) return;
  Value taken = evaluate(model::Operand::value(result));
  auto isTakenPlace = [&](Address place) { return containsSorted(state.detachedIn, place); };
  if (!taken.isMust()) { // what each round of a loop has taken has another name
    if (std::ranges::all_of(from.targets(), isTakenPlace))
      for (Address object : taken.targets()) insertSorted(state.detached, object.node);
    return;
  }
  const bool isNameless = names_.nodes[taken.targets()[0].node].kind == NodeKind::Opaque;
  if (std::ranges::any_of(from.targets(), [&](Address place) {
        return isTakenPlace(place) || (isNameless && isDetached(place.node, state));
      }))
    insertSorted(state.detached, taken.targets()[0].node);
}

bool FunctionAnalysis::takeNumber(const model::Operand &number, bool isStep, State &state) {
  Value value = evaluate(number);
  if (!value.isMust() || value.targets()[0].offset != 0) return false;
  insertSorted(state.taken, {value.targets()[0].node, isStep});
  return true;
}

bool FunctionAnalysis::isTaken(const model::Operand &number, bool isStep, const State &state) {
  return tickets_.contains(number) || isTakenInState(number, isStep, state);
}

bool FunctionAnalysis::isTakenInState(const model::Operand &number, bool isStep, const State &state) {
  if (state.taken.empty()) return false;
  Value value = evaluate(number);
  if (!value.isMust() || value.targets()[0].offset != 0) return false;
  auto is = [&](bool step) { return containsSorted(state.taken, {value.targets()[0].node, step}); };
  return is(true) || (!isStep && is(false));
}

bool FunctionAnalysis::isTakenBy(const IndexedRead &read, const State &state) {
  if (isTaken(read.number, true, state)) return true;
  auto isOne = [&](model::ValueId value) { return isTaken(model::Operand::value(value), false, state); };
  return std::ranges::any_of(read.numbers, isOne) && environment_.rings.contains(function_, read.array);
}

// Under a lock, who moves a counter on has the number that it was and the one that it is, and what was read by these before.
void FunctionAnalysis::moveCounter(model::StatementId id, State &state) {
  const CounterMove *move = counters_.at(id);
  auto isExclusive = [](const HeldLock &held) { return held.mode == LockMode::Exclusive && !held.passed; };
  if (!move || std::ranges::none_of(state.locks.held(), isExclusive)) return;
  bool isKnown = takeNumber(at(id).b, move->isStep, state);
  for (model::ValueId read : move->read) isKnown |= takeNumber(model::Operand::value(read), move->isStep, state);
  if (!isKnown) return;
  for (const auto &[result, read] : counters_.reads())
    if (!values_[result.value()].isBottom()) noticeIndexed(result, state);
}

// What is read from an element whose number this thread has taken is taken out, like what is read from a list's head that moves on.
void FunctionAnalysis::noticeIndexed(model::ValueId result, State &state) {
  auto read = counters_.reads().find(result);
  if (read == counters_.reads().end() || !isTakenBy(read->second, state)) return;
  Value taken = evaluate(model::Operand::value(result));
  if (!taken.isMust()) return;
  insertSorted(state.detached, taken.targets()[0].node);
  for (const auto &[place, content] : state.memory.rows())
    if (content == taken && isForThread(place, state)) insertSorted(state.detachedIn, place);
}

// Under whatever name: in the second round of a loop there may be no other.
void FunctionAnalysis::detachResult(const CallContext &context, State &state) {
  if (!context.statement.result.valid() || context.isHandedOver) return;
  for (Address object : evaluate(model::Operand::value(context.statement.result)).targets())
    insertSorted(state.detached, object.node);
}

// The constructor that gets an address: `unique_ptr(T *)`.
static bool isMadeOfPointer(llvm::StringRef name) {
  size_t arguments = name.rfind('(');
  return arguments != llvm::StringRef::npos && name.substr(arguments).ends_with("*)");
}

// A std::unique_ptr on the stack, whose object came from elsewhere: this function has neither made it nor asked for its address, so that
// nobody else has it.
bool FunctionAnalysis::isOfOwnPointer(const CallContext &context, link::FuncId callee, const State &state) {
  auto nameOf = [&](link::FuncId function) { return llvm::StringRef(program_.function(function).display); };
  auto isPointers = [&](llvm::StringRef name) { return name.starts_with("std::unique_ptr<"); };
  llvm::StringRef called = nameOf(callee);
  if (!isPointers(called) || !(called.contains("::operator->(") || called.contains("::operator*("))) return false;
  const model::Argument *row = argumentRow(context, 0);
  Value pointer = argument(context, 0);
  if (!row || !pointer.isMust() || names_.nodes[pointer.targets()[0].node].kind != NodeKind::Stack) return false;
  if (!isPrivate(pointer.targets()[0].node, state)) return false;
  link::Code code{program_.units, program_.symbols};
  bool isGiven = true;
  code.forEachStatement(function_, [&](model::BlockId, model::StatementId, const model::Statement &statement) {
    if (!isGiven || statement.kind != model::StatementKind::Call) return;
    const model::Call &call = unit_.calls[model::CallId(static_cast<uint32_t>(statement.number))];
    link::FuncId other = code.directCallee(unitId_, call);
    if (!other.valid() || link::argumentOf(unit_, call, 0) != row->value) return;
    llvm::StringRef name = nameOf(other);
    bool isMaker = name.contains("make_unique<") || name.contains("::reset(") || name.contains("::get(");
    isGiven = !isMaker && !(isPointers(name) && isMadeOfPointer(name));
  });
  return isGiven;
}

// `m = std::move(pending.front())` of a std::shared_ptr: its first member is the pointer.
static bool isMove(llvm::StringRef function) {
  return function.starts_with("std::shared_ptr<") && function.ends_with(">&&)");
}

// What leads to an object like a pointer does.
static bool isPointerOfLibrary(llvm::StringRef function) {
  static constexpr llvm::StringLiteral kPointers[] = {"std::__shared_ptr", "__gnu_cxx::__normal_iterator<",
                                                      "std::_List_iterator<", "std::_List_const_iterator<",
                                                      "std::_Deque_iterator<"};
  return std::ranges::any_of(kPointers, [&](llvm::StringRef each) { return function.starts_with(each); });
}

// A std::shared_ptr that now holds what was taken out, or an iterator in that.
bool FunctionAnalysis::isOfTakenPointer(const CallContext &context, link::FuncId callee, const State &state) {
  llvm::StringRef called = program_.function(callee).display;
  if (state.detachedIn.empty() || !isPointerOfLibrary(called)) return false;
  if (!called.contains("::operator->(") && !called.contains("::operator*(") && !called.contains("::get(")) return false;
  Value pointer = argument(context, 0);
  return pointer.isMust() && containsSorted(state.detachedIn, pointer.targets()[0]);
}

// `front()` and its like of one of the library's containers, of which the call now takes an element away: pointers that were read there.
void FunctionAnalysis::takeFromContainer(const CallContext &context, link::FuncId callee, State &state) {
  if ((program_.function(callee).flags & model::kLibrary) == 0) return;
  llvm::StringRef name = program_.function(callee).display;
  bool isRemoval = name.ends_with("::pop()") || name.ends_with("::pop_front()") || name.ends_with("::pop_back()") ||
                   name.contains("::erase(");
  const model::Argument *container = argumentRow(context, 0);
  if (!isRemoval || !container) return;
  link::Code code{program_.units, program_.symbols};
  std::vector<model::Operand> elements;
  code.forEachStatement(function_, [&](model::BlockId, model::StatementId, const model::Statement &statement) {
    if (statement.kind == StatementKind::Call) {
      const model::Call &call = unit_.calls[model::CallId(static_cast<uint32_t>(statement.number))];
      link::FuncId other = code.directCallee(unitId_, call);
      const bool isLibrary = other.valid() && (program_.function(other).flags & model::kLibrary) != 0;
      if (isLibrary && statement.result.valid() && link::argumentOf(unit_, call, 0) == container->value)
        elements.push_back(model::Operand::value(statement.result));
      if (isLibrary && isMove(program_.function(other).display) && call.argumentCount == 2 &&
          std::ranges::find(elements, link::argumentOf(unit_, call, 1)) != elements.end())
        for (Address into : evaluate(link::argumentOf(unit_, call, 0)).targets())
          if (isForThread(into, state)) insertSorted(state.detachedIn, into);
    }
    if (statement.kind != StatementKind::Load || std::ranges::find(elements, statement.a) == elements.end()) return;
    if (!statement.result.valid()) return; // a function of the library reads it
    const Value &read = values_[statement.result.value()];
    if (read.isBottom()) return; // not on the way here
    for (Address object : evaluate(model::Operand::value(statement.result)).targets()) {
      insertSorted(state.detached, object.node);
      for (const auto &[place, content] : state.memory.rows())
        if (content.isMust() && content.targets()[0] == object) noticeHandOver(place, content, state);
    }
  });
}

} // namespace deadheat::analyse
