// Calls: what the knowledge table says of a function, or what its summary says.
#include <algorithm>

#include "analyse/guard/recorder.h"
#include "analyse/symbolic/function.h"
#include "analyse/symbolic/rebind.h"

namespace deadheat::analyse {

using knowledge::Action;

FunctionAnalysis::CallContext FunctionAnalysis::contextOf(model::StatementId id,
                                                          const model::Statement &statement) const {
  model::CallId call(static_cast<uint32_t>(statement.number));
  return {id, statement, unit_.calls[call], program_.calls.site(unitId_, call)};
}

const model::Argument *FunctionAnalysis::argumentRow(const CallContext &context, int number) const {
  if (number < 0 || number >= static_cast<int>(context.call.argumentCount)) return nullptr;
  return &unit_.arguments[model::ArgumentId(context.call.firstArgument.value() + number)];
}

// Of what is handed over, the one parameter that the table tells of.
Value FunctionAnalysis::argument(const CallContext &context, int number) {
  if (context.isHandedOver) {
    const knowledge::Row *entering = context.entering;
    if (!entering || number != entering->parameter) return Value::top();
    number = entering->entryIs == knowledge::Entry::Member ? entering->entry : entering->argument;
  }
  const model::Argument *row = argumentRow(context, number);
  return row ? evaluate(row->value) : Value::top();
}

// The callee is not the one that the call names: code without a body calls it, with arguments of its own.
bool FunctionAnalysis::isHandedOver(const CallContext &context, link::FuncId callee) const {
  const model::Operand &named = context.call.callee;
  return named.isSymbol() && program_.symbols.target(unitId_, named.symbol()).function != callee;
}

// `inside`: the argument points to a pointer to the lock.
Value FunctionAnalysis::lockArgument(const CallContext &context, int number, bool inside, State &state) {
  Value lock = argument(context, number);
  if (!inside) return lock;
  Value all;
  for (Address holder : lock.targets()) {
    const Value *stored = state.memory.find(holder);
    all = Value::join(all, stored ? *stored : Value::top());
  }
  return all;
}

// The member that the pointer to it was read from; 0: not known.
uint32_t FunctionAnalysis::keptIn(NodeId lock) const {
  const Node &node = names_.nodes[lock];
  if (node.kind == NodeKind::Some) return node.stride;
  if (node.kind == NodeKind::Load) return infoOf(lock).field;
  model::StatementId made = node.kind == NodeKind::Opaque ? definitions_[node.index] : model::StatementId();
  bool isRead = made.valid() && at(made).kind == model::StatementKind::Load && at(made).site.valid();
  return isRead ? environment_.fields.of(unitId_, at(made).site) : 0;
}

// Behind pointers in different members: each is there for a lock of its own.
bool FunctionAnalysis::areKeptApart(Address held, Address released) const {
  uint32_t first = keptIn(held.node), second = keptIn(released.node);
  return environment_.fields.differ(first, second) || environment_.fields.areApart(first, second);
}

// Whoever gives back a lock whose name is lost has taken it before, mostly.
Likeness FunctionAnalysis::likeness(Address held, Address released) const {
  if (disjoint(names_.nodes, held, 1, released, 1)) return Likeness::Apart;
  uint32_t heldClass = classOf(locationOf(held));
  uint32_t releasedClass = classOf(locationOf(released));
  if (heldClass != releasedClass && heldClass != UINT32_MAX && releasedClass != UINT32_MAX) return Likeness::Apart;
  if (areKeptApart(held, released)) return Likeness::Apart;
  auto isLost = [&](Address lock) {
    NodeKind kind = names_.nodes[names_.nodes.root(lock.node)].kind;
    return kind == NodeKind::Opaque || kind == NodeKind::Some;
  };
  bool isLikely = held.offset == released.offset && (isLost(held) || isLost(released));
  return isLikely ? Likeness::Likely : Likeness::Perhaps;
}

// A lock is reached by one of several pointers: from the next turn on, the value that is one of them is named by itself.
// What the lock guards then is, too.
void FunctionAnalysis::nameForLock(model::Operand operand) {
  while (!recorder_ && operand.isValue()) {
    Value value = evaluate(operand);
    model::StatementId id = definitions_[operand.value().value()];
    if (!value.isPointer() || value.isMust() || !id.valid()) return;
    const model::Statement &made = at(id);
    using enum model::StatementKind;
    bool isPart = made.kind == Field || made.kind == Copy || made.kind == Index;
    bool isFound = made.kind == Load && !evaluate(made.a).isMust();
    if (isPart || isFound) {
      operand = made.a;
      continue;
    }
    values_[operand.value().value()] = Value::top();
    climbed_ = changed_ = true;
    return;
  }
}

// `lock(get(3))`: who asks for a lock by number and takes it gets the one that others get by it. A new one would guard
// nothing.
Address FunctionAnalysis::byNumber(Address lock) {
  const Node &node = names_.nodes[lock.node];
  model::StatementId made = node.kind == NodeKind::Opaque ? definitions_[node.index] : model::StatementId();
  if (!made.valid() || at(made).kind != model::StatementKind::Call) return lock;
  CallContext context = contextOf(made, at(made));
  const model::Argument *given = argumentRow(context, 0);
  link::FuncId callee = link::Code{program_.units, program_.symbols}.directCallee(unitId_, context.call);
  if (!callee.valid() || context.call.argumentCount != 1 || !given->value.isNumber()) return lock;
  uint32_t index = kNumbered + static_cast<uint32_t>(given->value.index);
  return {known(names_.nodes.heap(callee.value(), index), NodeInfo(infoOf(lock.node))), lock.offset};
}

// A pointer to one of several locks takes none for certain.
void FunctionAnalysis::acquire(const CallContext &context, const knowledge::Row &row, LockMode mode, State &state) {
  int last = row.has(knowledge::kEveryArgument) ? static_cast<int>(context.call.argumentCount) - 1 : row.object;
  for (int number = row.object; number <= last && number >= 0; ++number) {
    Value lock = lockArgument(context, number, row.has(knowledge::kInside), state);
    const model::Argument *given = argumentRow(context, number);
    if (given && !lock.isMust() && !context.isHandedOver) nameForLock(given->value);
    if (!lock.isMust()) continue;
    Address taken = byNumber(lock.targets()[0]);
    state.locks.acquire(taken, mode);
    if (row.has(knowledge::kInside)) write(argument(context, number).moved(row.offset), Value::number(1), {}, 0, state);
    if (recorder_ && given) recorder_->lockText(taken, unit_.strings[given->path]);
  }
}

// The name under which a lock is held that was read again from the same place.
Address FunctionAnalysis::asHeld(Address gone, const State &state) {
  gone = byNumber(gone);
  if (names_.nodes[names_.nodes.root(gone.node)].kind != NodeKind::Opaque || state.locks.holds(gone)) return gone;
  std::optional<NodeId> name = nameByPlace(gone.node);
  if (!name) return gone;
  for (const HeldLock &held : state.locks.held())
    if (held.lock.offset == gone.offset && nameByPlace(held.lock.node) == name) return held.lock;
  return {*name, gone.offset};
}

void FunctionAnalysis::letGo(Address lock, State &state) {
  state.locks.release(asHeld(lock, state), [this](Address held, Address gone) { return likeness(held, gone); });
}

// Of an atomic that is a lock, or that is only waited for.
void FunctionAnalysis::leaveSpin(const AtomicStep &update, State &state) {
  Value atomic = evaluate(update.address).moved(update.offset);
  if (!environment_.ownLocks.contains(function_, update)) return comeAfter(atomic, false, state);
  if (!atomic.isMust() || isPrivate(atomic.targets()[0].node, state)) return;
  Address lock = byNumber(atomic.targets()[0]);
  std::erase_if(state.after, [&](const HeldLock &seen) { return seen.lock == atomic.targets()[0]; });
  if (!state.locks.holds(lock)) state.locks.acquire(lock, LockMode::Exclusive);
  if (recorder_ && update.site.valid()) recorder_->lockText(lock, textOf(update.site));
}

// A store that lets go of a lock of the program's own, by itself or by a call. One that is nothing special means a lock that is held.
void FunctionAnalysis::freeOwnLock(const model::Statement &statement, State &state) {
  std::optional<AtomicStep> step = environment_.atomicSteps.at(unitId_, statement);
  if (!step || !OwnLocks::frees(*step) || !environment_.ownLocks.contains(function_, *step)) return;
  const bool isPlain = statement.kind == model::StatementKind::Store && statement.number == 0;
  for (Address target : evaluate(step->address).moved(step->offset).targets()) {
    if (isPrivate(target.node, state) || (isPlain && !state.locks.holds(target))) continue;
    std::erase_if(state.after, [&](const HeldLock &seen) { return seen.lock == target; });
    letGo(target, state);
  }
}

void FunctionAnalysis::release(const CallContext &context, const knowledge::Row &row, State &state) {
  Value lock = lockArgument(context, row.object, row.has(knowledge::kInside), state);
  for (Address target : lock.targets()) {
    if (row.kind == knowledge::Kind::Once)
      state.locks.pass(target); // everybody who asks from now on comes after it
    else
      letGo(target, state);
  }
}

// The object at this name is another one now, and nobody else knows it.
void FunctionAnalysis::renew(NodeId object, State &state) {
  std::erase(state.published, object);
  std::erase(state.detached, object);
  std::erase_if(state.holds, [&](const auto &row) { return row.first == object; });
  state.memory.eraseIf([&](const auto &row) { return names_.nodes.root(row.first.node) == object; });
}

// A new object that the callee has shown to others is still another one for each call: it gets a name, where it has none that says so.
Value FunctionAnalysis::nameMade(const CallContext &context, link::FuncId callee, const Value &returned, State &state) {
  if (!program_.makers[callee.value()] || context.isHandedOver || !context.statement.result.valid()) return returned;
  auto isMade = [&](Address target) { return names_.nodes[names_.nodes.root(target.node)].kind == NodeKind::Heap; };
  if (returned.isNumber() || (returned.isPointer() && std::ranges::all_of(returned.targets(), isMade))) return returned;
  NodeId object = known(names_.nodes.heap(function_.value(), context.id.value()),
                        {.points = program_.pointsTo.of(function_, model::Operand::value(context.statement.result))});
  renew(object, state);
  insertSorted(state.published, object);
  return Value::must({object, 0}).orNull();
}

void FunctionAnalysis::setResult(const CallContext &context, const Value &value, State &state) {
  if (!context.statement.result.valid()) return;
  define(context.statement.result, value, state);
}

void FunctionAnalysis::allocate(const CallContext &context, const knowledge::Row &row, State &state) {
  link::Location points = context.statement.result.valid()
                              ? program_.pointsTo.of(function_, model::Operand::value(context.statement.result))
                              : link::Location{};
  NodeId object = known(names_.nodes.heap(function_.value(), context.id.value()), {.points = points});
  renew(object, state);
  Value fresh = Value::must({object, 0});
  if (!row.has(knowledge::kOutParameter)) return setResult(context, fresh, state);
  Value into = argument(context, row.object);
  const model::Argument *argument = argumentRow(context, row.object);
  link::Location where = argument ? program_.pointsTo.of(function_, argument->value) : link::Location{};
  write(into, fresh, where, 0, state);
  setResult(context, Value::top(), state);
}

// What the function gets that a thread of the library is given to call there.
std::optional<model::Operand> FunctionAnalysis::chosenAt(link::CallSiteId start) const {
  for (const link::Thread &thread : program_.threads.list)
    if (thread.createdAt == start && thread.chosen) return thread.chosen;
  return std::nullopt;
}

void FunctionAnalysis::callKnown(const CallContext &context, const knowledge::Row &row, State state, States &after) {
  switch (row.action) {
  case Action::Acquire:
  case Action::AssertHeld: return callAcquire(context, row, std::move(state), after);
  case Action::NoReturn:
  case Action::ThreadExit: return;
  case Action::Allocate:
  case Action::Reallocate: allocate(context, row, state); return void(addState(after, std::move(state)));
  case Action::Release: release(context, row, state); break;
  case Action::Downgrade:
    for (Address lock : argument(context, row.object).targets()) state.locks.downgrade(lock);
    break;
  case Action::Wait:
    if (!row.has(knowledge::kTry)) comeAfter(argument(context, row.object), false, state);
    break;
  case Action::Barrier: return callBarrier(context, row, std::move(state), after);
  case Action::Post:
    if (recorder_) recorder_->tell(context.id, argument(context, row.object), state);
    break;
  case Action::Spawn:
    if (recorder_) {
      const bool isBehind = row.entryIs == knowledge::Entry::Virtual;
      const std::optional<model::Operand> chosen = isBehind ? chosenAt(context.site) : std::nullopt;
      recorder_->start(context.id,
                       chosen ? evaluate(*chosen)
                              : lockArgument(context, isBehind ? row.entry : row.argument, isBehind, state),
                       state);
    }
    for (uint32_t number = 0; number < context.call.argumentCount; ++number)
      publishAll(argument(context, static_cast<int>(number)), state);
    break;
  case Action::Keep:
    callUnknown(context, state);
    for (Address into : argument(context, row.object).targets()) keep(into, argument(context, row.argument), state);
    break;
  default: break;
  }
  setResult(context, Value::top(), state);
  addState(after, std::move(state));
}

// Private objects that the callee can reach: those it is given, and what they hold.
static std::vector<NodeId> givenTo(const NodeTable &nodes, const std::vector<Value> &arguments, const State &state) {
  std::vector<NodeId> given;
  for (const Value &value : arguments)
    for (Address target : value.targets()) insertSorted(given, nodes.root(target.node));
  for (bool grown = true; grown;) {
    grown = false;
    for (const auto &[container, content] : state.holds)
      if (containsSorted(given, container) && !containsSorted(given, content)) {
        insertSorted(given, content);
        grown = true;
      }
  }
  return given;
}

static bool isNamed(const NodeTable &nodes, NodeId node) {
  return !nodes.any(node, [](const Node &step) { return step.kind == NodeKind::Some; });
}

// Of an element that the callee has chosen: the next call chooses another one, and nothing in the name says so.
static bool isOfSomeElement(const NodeTable &nodes, const Value &value) {
  return std::ranges::any_of(value.targets(), [&](Address target) {
    return nodes.any(target.node,
                     [](const Node &step) { return step.kind == NodeKind::Element && step.index == kAnyKey; });
  });
}

// The place that the callee has emptied is known to this thread alone, as the temporary that a shared pointer is moved out of: whoever else
// has the object has it still.
bool FunctionAnalysis::isTakenFromOwn(Rebinding &rebinding, const Summary &callee, NodeId gone, const State &state) {
  const Node &taken = callee.names.nodes[gone];
  if (taken.kind != NodeKind::Load) return false;
  const Value places = rebinding.address({taken.base, taken.offset});
  return !places.targets().empty() &&
         std::ranges::all_of(places.targets(), [&](Address place) { return isPrivate(place.node, state); });
}

void FunctionAnalysis::applyEffects(Rebinding &rebinding, const Summary &callee, const CallContext &context,
                                    State &state) {
  std::vector<Value> arguments;
  for (uint32_t number = 0; number < context.call.argumentCount; ++number)
    arguments.push_back(argument(context, static_cast<int>(number)));
  std::vector<NodeId> given = givenTo(names_.nodes, arguments, state);
  state.clobbers.addAll(callee.clobbers);
  if (!callee.clobbers.empty())
    for (auto &[location, value] : state.memory.rows()) {
      if (value.isTop() || !callee.clobbers.touches(classOf(locationOf(location)))) continue;
      if (!isPrivate(location.node, state) || containsSorted(given, names_.nodes.root(location.node)))
        value = Value::top();
    }
  const bool isOneOfSeveral = program_.calls.callees[context.site].size() > 1;
  for (const Flow &flowing : callee.flows)
    if (flowing.from < arguments.size())
      for (Address content : arguments[flowing.from].targets()) {
        NodeId root = names_.nodes.root(content.node);
        if (flowing.into == Flow::kShared || flowing.into >= arguments.size())
          publishAll(Value::must(content), state, isOneOfSeveral ? Handing::Perhaps : flowing.handing);
        else
          for (Address into : arguments[flowing.into].targets())
            storeInto(names_.nodes.root(into.node), isNameless(root) ? content.node : root, state,
                      isOneOfSeveral ? Handing::Perhaps : handingBy(content.node, flowing.handing));
      }
  for (NodeId fresh : callee.fresh)
    for (Address object : rebinding.address({fresh, 0}).targets()) renew(object.node, state);
  for (const auto &[location, value] : callee.stores) {
    Value into = rebinding.address(location);
    link::Location where = into.isMust() ? locationOf(into.targets()[0]) : link::Location{};
    Value content = rebinding.value(value);
    if (containsSorted(callee.detachedIn, location) && isOfSomeElement(names_.nodes, content)) content = Value::top();
    write(into, content, where, 0, state);
  }
  for (NodeId gone : callee.detached) {
    if (isTakenFromOwn(rebinding, callee, gone, state)) continue;
    for (Address object : rebinding.address({gone, 0}).targets())
      if (isNamed(names_.nodes, object.node) && !isOfSomeElement(names_.nodes, Value::must(object)))
        insertSorted(state.detached, object.node);
  }
  for (Address slot : callee.detachedIn)
    if (Value into = rebinding.address(slot); into.isMust()) insertSorted(state.detachedIn, into.targets()[0]);
}

// What it has taken out of where others find it, or what that holds: `data = n->data; free(n); return data;`. Or a new one, if there was none.
static bool returnsDetached(const Summary &summary) {
  auto isTaken = [&](Address returned) {
    return std::ranges::any_of(summary.detached,
                               [&](NodeId taken) { return summary.names.nodes.hasAncestor(returned.node, taken); });
  };
  auto isNew = [&](Address returned) { return containsSorted(summary.fresh, returned.node); };
  const auto &targets = summary.returned.targets();
  return std::ranges::any_of(targets, isTaken) &&
         std::ranges::all_of(targets, [&](Address each) { return isTaken(each) || isNew(each); });
}

// In the caller's names.
static Tested testedBy(const link::Program &program, link::FuncId callee, const Summary &summary,
                       Rebinding &rebinding) {
  Tested tested;
  const std::vector<Entry> read = readBy(summary);
  if (read.empty()) return tested;
  const std::optional<Looks> ifZero = lookedAt(program, callee, true), ifNot = lookedAt(program, callee, false);
  auto isOf = [](const Entry &entry, const std::optional<Looks> &looks) {
    return !looks ||
           std::ranges::any_of(entry.sources, [&](const Source &source) { return looks->contains(source.statement); });
  };
  for (const Entry &entry : read) {
    const Value address = rebinding.address(entry.lvalue);
    if (!address.isMust()) continue;
    insertSorted(tested.all, address.targets()[0]);
    if (isOf(entry, ifZero)) insertSorted(tested.ifZero, address.targets()[0]);
    if (isOf(entry, ifNot)) insertSorted(tested.ifNot, address.targets()[0]);
  }
  return tested;
}

// Locks that were taken, not what was waited for.
static bool takes(const Lockset &locks) {
  return std::ranges::any_of(locks.held(), [](const HeldLock &held) { return held.mode != LockMode::After; });
}

static bool gives(const Lockset &locks) { return !locks.released().empty(); }

// An error that comes without the lock, or with it not given back. Locks that are tried are another matter: there it is no error.
static bool isFailure(const Summary &summary, const Exit &exit) {
  return !summary.tries && std::ranges::any_of(summary.exits, [&](const Exit &other) {
    const bool differ = other.outcome != exit.outcome && other.when == exit.when && !other.isLeftOut && !exit.isLeftOut;
    return differ && ((takes(other.locks) && !takes(exit.locks)) || (gives(other.locks) && !gives(exit.locks)));
  });
}

// Whether what is given lets the callee leave there; what it tells about that from then on, and whether a lock was left out.
bool FunctionAnalysis::takesExit(const CallContext &context, const Summary &summary, const Exit &exit, State &state) {
  const bool isUnasked = !context.statement.result.valid() && !context.isHandedOver;
  if (isUnasked && isFailure(summary, exit)) return false; // who does not ask relies on it, as on pthread_mutex_lock
  if (std::ranges::any_of(summary.exits, gives,
                          &Exit::locks)) { // whoever has left out the lock gives none back, and nobody else
    const bool isToldApart = std::ranges::any_of(summary.exits, &Exit::isLeftOut);
    if (isToldApart && exit.isLeftOut != state.isLockLeftOut) return false;
    state.isLockLeftOut = false;
  } else
    state.isLockLeftOut |= exit.isLeftOut;
  const model::Argument *given =
      exit.when && !context.isHandedOver ? argumentRow(context, static_cast<int>(exit.when->parameter)) : nullptr;
  if (!given) return true;
  if (std::optional<Fact> known = factAbout(given->value, state); known && isZero(*known))
    return *isZero(*known) == exit.when->isZero;
  setFact(given->value, {exit.when->isZero, 0}, state);
  state.isLockLeftOut |= !takes(exit.locks) && std::ranges::any_of(summary.exits, [&](const Exit &other) {
    return other.when && other.when->isZero != exit.when->isZero && takes(other.locks);
  });
  return true;
}

// Whose it is that the call gives.
void FunctionAnalysis::noticeReturned(const CallContext &context, link::FuncId callee, const Summary &summary,
                                      const State &before, State &state) {
  if (returnsDetached(summary) || isOfOwnPointer(context, callee, before) ||
      isOfTakenPointer(context, callee, before) || isOfOwnContainer(context, callee, before))
    detachResult(context, state);
  noteKept(context, callee);
}

void FunctionAnalysis::callBody(const CallContext &context, link::FuncId callee, State before, States &after) {
  const Summary &summary = environment_.summary(callee);
  if (!summary.ready) return; // recursion, first time round: nothing returns yet
  bool isRecursive =
      environment_.order.componentOf[callee.value()] == environment_.order.componentOf[function_.value()];
  for (uint32_t formal : summary.lockFormals)
    if (const model::Argument *given = argumentRow(context, static_cast<int>(formal)); given && !context.isHandedOver)
      nameForLock(given->value);
  Rebinding rebinding(*this, context, summary, before, isRecursive);
  if (recorder_)
    recorder_->call(context.id, callee, summary, rebinding, before, isGivenOnlyOwn(context, callee, before));
  if (recorder_ && summary.tries) recorder_->tryLock();
  auto mayBe = [this](Address held, Address released) { return likeness(held, released); };
  Value returned = context.isHandedOver ? Value::top() : rebinding.value(summary.returned);
  if (summary.told && context.statement.result.valid() && !answers().isRelaxed(context.statement))
    if (Value signal = rebinding.address(*summary.told); signal.isMust())
      told_[context.statement.result.value()] = signal.targets()[0];
  if (context.statement.result.valid())
    if (auto tested = tested_.find(context.statement.result.value()); tested != tested_.end())
      tested->second = testedBy(program_, callee, summary, rebinding);
  std::optional<AtomicStep> step = environment_.atomicSteps.at(unitId_, context.statement);
  if (step) noteUnordered(context.statement, before);
  const bool isLearning = !step || learnsBy(context.statement.result, step->value);
  if (returnsDetached(summary) && isOfSomeElement(names_.nodes, returned)) returned = Value::top();
  // One that has no name here, or that another call returns, too, is named by the result, and its lock by that.
  const bool isVague = !returned.isMust() || !isNamed(names_.nodes, returned.targets()[0].node) ||
                       isOfSomeElement(names_.nodes, returned);
  const bool isByResult = isVague && comesBackLocked(context, summary);
  if (isByResult) returned = Value::top();
  if (std::optional<Value> word = wordOfBits(context, callee)) returned = *word;
  State common = before;
  applyEffects(rebinding, summary, context, common);
  takeFromContainer(context, callee, common);
  if (!isRecursive) returned = nameMade(context, callee, returned, common);
  for (const Exit &exit : summary.exits) {
    State state = common;
    if (!takesExit(context, summary, exit, state)) continue;
    Lockset change = rebinding.locks(isByResult ? withoutReturned(summary, exit.locks) : exit.locks);
    change.rename([&](HeldLock &held) {
      held.lock = byNumber(held.lock);
      return true;
    });
    for (const HeldLock &held : change.held())
      if (held.mode == LockMode::After && isLearning) insertSorted(state.after, held);
    change.forget([&](Address lock) { return !isNamed(names_.nodes, lock.node); });
    change.rename([](HeldLock &held) { return held.mode != LockMode::After; });
    change.renameReleased([&](Address gone) { return asHeld(gone, state); });
    if (!context.keepsLocks) state.locks.update(change, mayBe);
    std::erase_if(state.after, [&](const HeldLock &seen) { return containsSorted(change.released(), seen.lock); });
    setResult(context, returned, state);
    if (isByResult) holdReturned(context, summary, exit, state);
    noticeReturned(context, callee, summary, before, state);
    if (summary.takesNumber && context.statement.result.valid() && !context.isHandedOver)
      takeNumber(model::Operand::value(context.statement.result), true, state);
    if (exit.outcome != Outcome::Any && context.statement.result.valid() && !context.isHandedOver)
      state.facts.set(factOf(context.statement.result), {exit.outcome == Outcome::Zero, 0});
    addState(after, std::move(state));
  }
}

// pthread_once and its kin: the initialiser excludes everybody; whoever returns comes after it, for ever.
void FunctionAnalysis::callOnce(const CallContext &context, const knowledge::Row &row, State state, States &after) {
  Value once = argument(context, row.object);
  State inside = state;
  setResult(context, Value::number(0), state);
  if (once.isMust()) {
    if (state.locks.holds(once.targets()[0])) return void(addState(after, std::move(state)));
    inside.locks.acquire(once.targets()[0], LockMode::Exclusive);
    state.locks.pass(once.targets()[0]);
  }
  if (recorder_) recorder_->reachCall(context.id, context.site, inside);
  States returned;
  for (link::FuncId callee : program_.calls.callees[context.site])
    if (!environment_.row(callee) && !program_.function(callee).external()) callBody(context, callee, inside, returned);
  for (State &each : returned.list) {
    if (once.isMust()) each.locks.pass(once.targets()[0]);
    addState(after, std::move(each));
  }
  addState(after, std::move(state));
}

// Code without a body may write what it is given (`poll(&ready)`), and keeps nothing of it.
void FunctionAnalysis::callUnknown(const CallContext &context, State &state) {
  for (uint32_t number = 0; number < context.call.argumentCount; ++number)
    for (Address given : argument(context, static_cast<int>(number)).targets())
      for (auto &[location, value] : state.memory.rows())
        if (location.node == given.node && location.offset >= given.offset) value = Value::top();
}

static bool touchesLocks(const Summary &summary) {
  return std::ranges::any_of(summary.exits, [](const Exit &exit) { return !exit.locks.empty(); });
}

// Through a table of methods: one that does nothing, beside others that lock, is for programs with one thread.
bool FunctionAnalysis::isStubOfLock(const CallContext &context, link::FuncId callee) const {
  auto callees = program_.calls.callees[context.site];
  const Summary &summary = environment_.summary(callee);
  if (!context.call.callee.isValue() || callees.size() < 2 || !summary.ready) return false;
  bool doesNothing =
      summary.entries.empty() && summary.calls.empty() && summary.stores.empty() && !touchesLocks(summary);
  return doesNothing && std::ranges::any_of(callees, [&](link::FuncId other) {
           return !program_.function(other).external() && touchesLocks(environment_.summary(other));
         });
}

// Of a call that may go to many functions, as far as points-to knows, those that give back what they have not taken are
// the odd ones, unless they are most of them.
bool FunctionAnalysis::keepsLocks(const CallContext &context) const {
  auto callees = program_.calls.callees[context.site];
  if (!context.call.callee.isValue() || callees.size() < kManyTargets) return false;
  auto touching = std::ranges::count_if(callees, [&](link::FuncId callee) {
    const knowledge::Row *row = environment_.row(callee);
    return row || (!program_.function(callee).external() && touchesLocks(environment_.summary(callee)));
  });
  return static_cast<size_t>(touching) * 2 < callees.size();
}

const knowledge::Row *FunctionAnalysis::enteringAt(link::CallSiteId site) const {
  for (link::FuncId callee : program_.calls.callees[site])
    if (const knowledge::Row *row = environment_.row(callee);
        row && (row->action == Action::Calls || row->action == Action::Fulfil))
      return row;
  return nullptr;
}

std::vector<State> FunctionAnalysis::stepCall(model::StatementId id, State state) {
  const model::Statement &statement = at(id);
  CallContext context = contextOf(id, statement);
  if (statement.result.valid()) redefine(statement.result, state);
  States after;
  for (link::FuncId callee : program_.calls.callees[context.site])
    if (const knowledge::Row *row = environment_.row(callee); row && row->action == Action::Once) {
      callOnce(context, *row, std::move(state), after);
      return std::move(after.list);
    }
  const std::optional<uint32_t> parameter = calledParameter(context);
  if (recorder_ && !parameter) recorder_->reachCall(context.id, context.site, state);
  context.keepsLocks = keepsLocks(context);
  bool isOpen = true;
  context.entering = enteringAt(context.site);
  for (link::FuncId callee : program_.calls.callees[context.site]) {
    if (parameter && !isGivenThere(*parameter, callee, state)) continue;
    if (recorder_ && parameter) recorder_->reachCall(context.id, context.site, state, callee);
    const knowledge::Row *row = environment_.row(callee);
    if (!row && (program_.function(callee).external() || !environment_.order.followed[context.site.value()])) continue;
    if (row && row == context.entering) continue; // its entry is called at this site, too
    if (!row && isStubOfLock(context, callee)) continue;
    context.isHandedOver = !row && isHandedOver(context, callee);
    if (!context.isHandedOver) isOpen = false; // else it is called now, or later, or never
    if (row)
      callKnown(context, *row, calling(parameter, callee, state), after);
    else
      callBody(context, callee, calling(parameter, callee, state), after);
  }
  if (isOpen && (context.call.flags & model::kNoReturn) == 0) {
    callUnknown(context, state);
    setResult(context, Value::top(), state);
    addState(after, std::move(state));
  }
  context.isHandedOver = false;
  for (State &each : after.list) freeOwnLock(statement, each);
  if (const knowledge::Row *row = context.entering; recorder_ && row && row->action == Action::Fulfil)
    for (const State &each : after.list)
      recorder_->tell(context.id, argument(context, row->object).moved(row->within), each);
  return std::move(after.list);
}

} // namespace deadheat::analyse
