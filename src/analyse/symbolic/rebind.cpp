#include "analyse/symbolic/rebind.h"

#include <algorithm>

namespace deadheat::analyse {

Rebinding::Rebinding(FunctionAnalysis &caller, const FunctionAnalysis::CallContext &context, const Summary &callee,
                     const State &before, bool isRecursive)
    : caller_(caller), context_(context), callee_(callee), before_(before), isRecursive_(isRecursive),
      memo_(callee.names.nodes.size()), memoByPlace_(callee.names.nodes.size()) {}

Value Rebinding::some(const NodeInfo &info, bool folded) {
  uint32_t node = info.points.valid() ? info.points.node.value() : kAnyKey;
  int64_t offset = info.points.offset == link::kAnyOffset ? 0 : info.points.offset;
  link::Location base = info.points.valid() ? link::Location{info.points.node, 0} : link::Location{};
  NodeId made = caller_.names_.nodes.some(node, folded, isByPlace_ ? info.field : 0);
  return Value::must({caller_.known(made, {.points = base, .text = info.text}), offset});
}

Value Rebinding::makeLoad(const Node &row, const NodeInfo &info) {
  Value from = address({row.base, row.offset});
  Value all;
  for (Address location : from.targets()) {
    if (isRecursive_ && caller_.names_.nodes[location.node].depth >= kMaxRecursiveDepth) return some(info, true);
    NodeInfo here = info;
    here.text = {};
    if (link::Location where = caller_.locationOf(location); where.valid())
      if (link::Location content = caller_.program_.pointsTo.content(where); content.valid()) here.points = content;
    all = Value::join(all, caller_.read(location, info.stored, info.field, before_, here));
  }
  if (all.isTop() && isByPlace_)
    if (Value place = placeOf(from, info); place.isMust()) return place;
  if (!all.isBottom() && !all.isTop() && !beginsAtSome(all) && !isDeep(all)) return all;
  if (Value captured = capturedIn(info); captured.isMust()) return captured;
  return all.isBottom() || all.isTop() ? some(info, true) : all;
}

bool Rebinding::beginsAtSome(const Value &value) const {
  return std::ranges::any_of(value.targets(), [&](Address target) {
    return caller_.names_.nodes[caller_.names_.nodes.root(target.node)].kind == NodeKind::Some;
  });
}

// What it leads to would have no name any more in the next callers.
bool Rebinding::isDeep(const Value &value) const {
  return std::ranges::any_of(value.targets(),
                             [&](Address target) { return caller_.names_.nodes[target.node].depth + 1 >= kMaxDepth; });
}

// The variable that a member refers to, where it is not the caller's own: of that one there may be others.
Value Rebinding::capturedIn(const NodeInfo &info) {
  std::optional<Captured> captured = caller_.environment_.captures.of(info.field);
  if (!captured || captured->function == caller_.function_) return Value::top();
  NodeId variable = caller_.names_.nodes.stack(captured->function.value(), captured->variable.value());
  link::Location points = info.points;
  if (points.valid() && points.offset != link::kAnyOffset) points.offset -= static_cast<int32_t>(captured->offset);
  return Value::must({caller_.known(variable, {.points = points, .text = info.text}), captured->offset});
}

// What was there before a callee may have written it: who keeps a lock behind a pointer sets that once.
Value Rebinding::placeOf(const Value &from, const NodeInfo &info) {
  if (!from.isMust()) return Value::top();
  const Value *written = before_.memory.find(from.targets()[0]);
  std::optional<NodeId> node =
      written && !written->isTop() ? std::nullopt : caller_.names_.nodes.load(from.targets()[0]);
  return node ? Value::must({caller_.known(*node, info), 0}) : Value::top();
}

// What the callee was given to choose by.
Value Rebinding::chooser(uint32_t key, uint32_t &callers) {
  callers = key == kOwnKey ? kOwnKey : kAnyKey;
  if (key < kFormalKey || key >= kOwnKey) return Value::top();
  int number = static_cast<int>(key - kFormalKey);
  Value given = caller_.argument(context_, number);
  const model::Argument *row = context_.isHandedOver ? nullptr : caller_.argumentRow(context_, number);
  if (row) callers = caller_.keyOf(row->value, given);
  return given;
}

// Who chooses it, in the words of the caller.
Choice Rebinding::choiceOf(const Node &node, uint32_t &key) {
  Choice callees{node.owner};
  if (callees.isTaken()) key = kOwnKey;
  if (!callees.valid() || callees.isTaken()) return {};
  Value actual = caller_.argument(context_, static_cast<int>(callees.formal()));
  const bool isByItself = callees.loads() == 0 && (callees.isRow() || (!callees.isComputed() && !callees.isSlice()));
  if (caller_.isThreadsOwn(actual) && callees.loads() == 0 && !callees.isComputed()) key = kOwnKey;
  const model::Argument *row = caller_.argumentRow(context_, static_cast<int>(callees.formal()));
  if (isByItself && row && !context_.isHandedOver && caller_.isTaken(row->value, true, before_)) key = kOwnKey;
  Choice callers = computedChoice(callees); // first, as it says the same in every pass
  if (!callers.valid()) callers = caller_.choiceOf(actual);
  if (!callers.valid()) return {};
  const uint32_t how = (callers.number | callees.number) & (Choice::kSlice | Choice::kComputed);
  callers = Choice::by(callers.formal(), callers.loads() + callees.loads(),
                       (how & Choice::kSlice) != 0 ? Choice::kSlice : how);
  if (caller_.isEnteredWith(callers)) key = kOwnKey;
  return callers;
}

// A number that the caller computes may be that of two threads, as a bound of a slice it is not.
Choice Rebinding::computedChoice(Choice callees) {
  const model::Argument *row = caller_.argumentRow(context_, static_cast<int>(callees.formal()));
  if (!row || context_.isHandedOver) return {};
  if (!callees.isSlice()) {
    Choice slice = caller_.choiceOfSlice(row->value);
    return slice.valid() ? slice : caller_.choiceByComputing(row->value);
  }
  std::optional<Slices::Source> source = caller_.slices_.sourceOf(row->value);
  return source ? Choice::by(source->parameter, source->loads, Choice::kSlice) : Choice();
}

Value Rebinding::makeElement(const Node &row, const NodeInfo &info) {
  Value all;
  NodeInfo here = info;
  here.text = {};
  uint32_t key = kAnyKey;
  Value index = chooser(row.index, key);
  Choice choice = choiceOf(row, key);
  for (Address array : address({row.base, row.offset}).targets()) {
    if (isRecursive_ && caller_.names_.nodes[array.node].depth >= kMaxRecursiveDepth) return some(info, true);
    if (index.isNumber()) {
      all = Value::join(all, Value::must({array.node, array.offset + index.number() * row.stride}));
      continue;
    }
    std::optional<NodeId> element = caller_.names_.nodes.element(array, row.stride, key, choice);
    all = Value::join(all, element ? Value::must({caller_.known(*element, here), 0}) : Value::top());
  }
  return all.isBottom() || all.isTop() ? some(info, true) : all;
}

// Where points-to sees a fresh object of the callee's: by the pointer that the caller gets. It knows fewer objects for that than for
// the one inside an allocator, which all its callers share.
link::Location Rebinding::placeOfFresh(NodeId callees, link::Location inside) {
  const link::PointsTo &pointsTo = caller_.environment_.program.pointsTo;
  auto placeBy = [&](link::Location pointer, const Value &value) {
    if (!pointer.valid() || pointer.offset == link::kAnyOffset) return inside;
    pointer.offset -= static_cast<int32_t>(value.targets()[0].offset);
    return pointsTo.single(pointer) ? pointer : inside;
  };
  auto isFresh = [&](const Value &value) { return value.isMust() && value.targets()[0].node == callees; };
  if (pointsTo.single(inside)) return inside;
  if (isFresh(callee_.returned) && context_.statement.result.valid())
    return placeBy(pointsTo.of(caller_.function_, model::Operand::value(context_.statement.result)), callee_.returned);
  for (const auto &[location, value] : callee_.stores) {
    if (!isFresh(value) || callee_.names.nodes[callee_.names.nodes.root(location.node)].kind != NodeKind::Formal)
      continue;
    if (Value into = address(location); into.isMust())
      return placeBy(pointsTo.content(caller_.locationOf(into.targets()[0])), value);
  }
  return inside;
}

Value Rebinding::makeObject(NodeId callees, const Node &row, const NodeInfo &info) {
  auto fresh = std::ranges::lower_bound(callee_.fresh, callees);
  NodeTable &nodes = caller_.names_.nodes;
  if (fresh != callee_.fresh.end() && *fresh == callees) {
    auto ordinal = static_cast<uint32_t>(fresh - callee_.fresh.begin()) + 1;
    NodeInfo here = info;
    here.points = placeOfFresh(callees, info.points);
    return Value::must({caller_.known(nodes.heap(caller_.function_.value(), context_.id.value(), ordinal), here), 0});
  }
  if (row.owner == caller_.function_.value()) return some(info, true); // another activation's
  NodeId object = row.kind == NodeKind::Heap ? nodes.heap(row.owner, row.index, static_cast<uint32_t>(row.offset))
                                             : nodes.stack(row.owner, row.index);
  return Value::must({caller_.known(object, info), 0});
}

Value Rebinding::make(NodeId callees) {
  const Node &row = callee_.names.nodes[callees];
  const NodeInfo &info = callee_.names.info[callees.value()];
  switch (row.kind) {
  case NodeKind::Formal: {
    Value value = caller_.argument(context_, static_cast<int>(row.index));
    return value.isTop() || value.isBottom() ? some(info, true) : value;
  }
  case NodeKind::Global: return Value::must({caller_.known(caller_.names_.nodes.global(row.index), info), 0});
  case NodeKind::Heap:
  case NodeKind::Stack: return makeObject(callees, row, info);
  case NodeKind::Load: return makeLoad(row, info);
  case NodeKind::Element: return makeElement(row, info);
  case NodeKind::Opaque:
    if (callee_.returned.isMust() && callee_.returned.targets()[0].node == callees &&
        callee_.returned.targets()[0].offset == 0 && context_.statement.result.valid())
      return Value::must({caller_.opaque(context_.statement.result), 0});
    return some(info, false);
  case NodeKind::Some: {
    NodeTable &nodes = caller_.names_.nodes;
    NodeId object = row.owner != 0 ? nodes.kin(row.index) : nodes.some(row.index, row.folded, row.stride);
    return Value::must({caller_.known(object, info), 0});
  }
  }
  return Value::top();
}

const Value &Rebinding::node(NodeId callees) {
  if (memo_[callees.value()].isBottom()) {
    Value made = make(callees);
    memo_[callees.value()] = std::move(made);
  }
  return memo_[callees.value()];
}

Value Rebinding::address(Address callees) { return node(callees.node).moved(callees.offset); }

Value Rebinding::addressByPlace(Address callees) {
  isByPlace_ = true;
  std::swap(memo_, memoByPlace_);
  Value value = address(callees);
  std::swap(memo_, memoByPlace_);
  isByPlace_ = false;
  return value;
}

Value Rebinding::value(const Value &callees) {
  if (!callees.isPointer()) return callees;
  Value all;
  for (Address target : callees.targets()) all = Value::join(all, address(target));
  return callees.mayBeNull() ? all.orNull() : all;
}

Lockset Rebinding::locks(const Lockset &callees) {
  auto never = [](Address, Address) { return Likeness::Apart; };
  Lockset renamed;
  for (Address lock : callees.released())
    for (Address target : addressByPlace(lock).targets()) renamed.release(target, never);
  std::vector<HeldLock> held;
  for (HeldLock lock : callees.held()) {
    Value target = addressByPlace(lock.lock);
    if (target.isMust()) {
      lock.lock = target.targets()[0];
      held.push_back(lock);
    } else if (lock.mode != LockMode::After)
      for (Address one : target.targets()) renamed.addLost(one);
  }
  for (Address lock : callees.lost())
    for (Address target : addressByPlace(lock).targets()) renamed.addLost(target);
  renamed.addHeld(std::move(held));
  return renamed;
}

} // namespace deadheat::analyse
