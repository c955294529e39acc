// Who else knows an object of this function: what is stored where others find it, or handed to a thread, is theirs, too.
//
// Claim   an object that is published, or held by one that is, is so from there on. A pointer that was read out of an object of this
//         function, and has no name, stands for all that this object holds: `sessions.back()` may be any session that was put there.
//         Of a caller's object, State::handed says whether this function itself has shown it, for callers that take it for theirs alone.
// Misses  pointers that come out by a way of more than kMaxWay values, and what code without a body keeps.
#include <algorithm>

#include "analyse/symbolic/function.h"

namespace deadheat::analyse {

static constexpr size_t kMaxWay = 32; // values from a pointer back to the objects that it was found in

// An object that is known by the value at hand, or by its class alone.
bool FunctionAnalysis::isNameless(NodeId root) const {
  NodeKind kind = names_.nodes[root].kind;
  return kind == NodeKind::Opaque || kind == NodeKind::Some;
}

// What flows into the value, and of what it was read: pointers and arguments alike.
void FunctionAnalysis::addSources(model::ValueId value, std::vector<model::Operand> &sources) const {
  using enum model::StatementKind;
  for (model::StatementId id = definitions_[value.value()]; id.valid() && at(id).result == value;) {
    const model::Statement &made = at(id);
    if (made.kind == Call) {
      const model::Call &call = unit_.calls[model::CallId(static_cast<uint32_t>(made.number))];
      for (uint32_t number = 0; number < call.argumentCount; ++number)
        sources.push_back(link::argumentOf(unit_, call, static_cast<int>(number)));
    } else
      sources.insert(sources.end(), {made.a, made.b});
    if (made.kind != Phi || id.value() == 0) return;
    id = model::StatementId(id.value() - 1); // a row for each way into the block
  }
}

// The objects of this function that the value came out of.
std::vector<NodeId> FunctionAnalysis::foundIn(model::ValueId value) {
  std::vector<NodeId> objects;
  std::vector<model::ValueId> way{value};
  for (size_t i = 0; i < way.size() && way.size() < kMaxWay; ++i) {
    std::vector<model::Operand> sources;
    addSources(way[i], sources);
    for (const model::Operand &source : sources) {
      if (!source.isValue() || std::ranges::find(way, source.value()) != way.end()) continue;
      bool hasNameless = false;
      for (Address target : evaluate(source).targets()) {
        NodeId root = names_.nodes.root(target.node);
        hasNameless |= isNameless(root);
        if (isOwn(root)) insertSorted(objects, root);
      }
      if (hasNameless) way.push_back(source.value());
    }
  }
  return objects;
}

// What is held and may be what the pointer points to, as far as classes tell.
std::vector<NodeId> FunctionAnalysis::heldOfClass(NodeId pointer, const State &state) const {
  std::vector<NodeId> objects;
  const uint32_t wanted = classOf(infoOf(pointer).points);
  for (const auto &[container, content] : state.holds)
    if (wanted != UINT32_MAX && classOf(infoOf(content).points) == wanted) insertSorted(objects, content);
  return objects;
}

// Of a pointer without a name: what is in the objects that it came out of, or may point to. A container and what it has made for its
// elements are one.
std::vector<NodeId> FunctionAnalysis::heldWhereFound(NodeId pointer, const State &state) {
  const NodeId root = names_.nodes.root(pointer);
  if (state.holds.empty() || !isNameless(root)) return {};
  const Node &node = names_.nodes[root];
  std::vector<NodeId> held = heldOfClass(pointer, state);
  std::vector<NodeId> within = node.kind == NodeKind::Opaque ? foundIn(model::ValueId(node.index)) : held;
  for (size_t i = 0; i < within.size(); ++i)
    for (const auto &[container, content] : state.holds)
      if (content == within[i] && isOwn(container) && std::ranges::find(within, container) == within.end())
        within.push_back(container);
  for (const auto &[container, content] : state.holds)
    if (std::ranges::find(within, container) != within.end()) insertSorted(held, content);
  return held;
}

// Others find it again, also where this thread has kept it.
void FunctionAnalysis::putBack(NodeId node, State &state) {
  std::erase(state.detached, node);
  std::erase_if(state.detachedIn, [&](Address place) {
    const Value *content = state.memory.find(place);
    auto isSame = [&](Address target) { return target.node == node; };
    return content && std::ranges::any_of(content->targets(), isSame);
  });
}

// `current.store(fresh, std::memory_order_relaxed)`: whoever finds the object there may find it as it was before it was filled in; not under
// a lock, and not where another atomic tells of it.
void FunctionAnalysis::noteUnordered(const model::Statement &statement, const State &state) {
  const std::optional<AtomicStep> step = environment_.atomicSteps.at(unitId_, statement);
  if (!step) return;
  if (!answers().isRelaxed(statement)) isOrdering_ = true;
  const bool isLocked =
      std::ranges::any_of(state.locks.held(), [](const HeldLock &held) { return held.mode != LockMode::After; });
  if (isOrdering_ || isLocked || !step->value.isValue()) return;
  for (Address shown : evaluate(step->value).targets())
    if (isOwn(shown.node) && names_.nodes[shown.node].kind == NodeKind::Heap) insertSorted(unordered_, shown.node);
}

bool FunctionAnalysis::isShownUnordered(NodeId node) const {
  if (unordered_.empty() || isOrdering_) return false;
  while (names_.nodes[node].kind == NodeKind::Element) node = names_.nodes[node].base;
  return containsSorted(unordered_, node);
}

// A number that was read, or computed.
bool FunctionAnalysis::leadsNowhere(NodeId node) const {
  const Node &row = names_.nodes[node];
  if (row.kind == NodeKind::Load) return !infoOf(node).points.valid();
  return row.kind == NodeKind::Opaque &&
         !program_.pointsTo.of(function_, model::Operand::value(model::ValueId(row.index))).valid();
}

// What is stored where others can see it is theirs, too. What a caller's object holds (a capture that is moved on) is
// known by that object.
void FunctionAnalysis::keep(Address into, const Value &value, State &state) {
  for (Address content : value.targets()) {
    NodeId node = content.node;
    while (names_.nodes[node].kind == NodeKind::Element) node = names_.nodes[node].base;
    if (leadsNowhere(node)) continue;
    NodeId container = names_.nodes.root(into.node);
    NodeId root = names_.nodes.root(node);
    bool isHeld = names_.nodes[root].kind == NodeKind::Formal && root != container;
    storeInto(container, isHeld ? root : node, state, handingBy(node, Handing::Itself));
    if (!isPrivate(into.node, state)) putBack(node, state);
  }
}

void FunctionAnalysis::storeInto(NodeId container, NodeId content, State &state, Handing handing) {
  for (NodeId each : heldWhereFound(content, state)) storeInto(container, each, state, handing);
  bool isFormal = names_.nodes[content].kind == NodeKind::Formal;
  if (!isFormal && !isOwn(content)) return;
  bool intoFormal = names_.nodes[container].kind == NodeKind::Formal;
  if (isPrivate(container, state) || (intoFormal && !containsSorted(state.published, container)))
    insertSorted(state.holds, {container, content});
  else
    publish(content, state, handing);
}

void FunctionAnalysis::publish(NodeId root, State &state, Handing handing) {
  bool isFormal = names_.nodes[root].kind == NodeKind::Formal;
  if (!isFormal && !isOwn(root)) return;
  insertSorted(state.published, root);
  if (isFormal && handing != Handing::Perhaps) insertSorted(state.handed, {root, handing});
  // Also of one that was published: by another way it may have come here with more in it.
  const Handing ofContent = handing == Handing::Perhaps ? handing : Handing::Itself;
  auto isDone = [&](NodeId content) {
    const bool isToBeShown = ofContent == Handing::Itself && names_.nodes[content].kind == NodeKind::Formal;
    return isToBeShown ? containsSorted(state.handed, std::pair(content, ofContent))
                       : containsSorted(state.published, content);
  };
  std::vector<NodeId> next;
  for (const auto &[container, content] : state.holds)
    if (container == root && !isDone(content)) next.push_back(content);
  for (NodeId content : next) publish(content, state, ofContent);
}

void FunctionAnalysis::publishAll(const Value &value, State &state, Handing handing) {
  for (Address target : value.targets()) {
    for (NodeId each : heldWhereFound(target.node, state)) publish(each, state, handing);
    publish(names_.nodes.root(target.node), state, handingBy(target.node, handing));
  }
}

// Of the root of a name: whoever gets what it leads to by a pointer does not get the root itself.
Handing FunctionAnalysis::handingBy(NodeId node, Handing handing) const {
  while (names_.nodes[node].kind == NodeKind::Element) node = names_.nodes[node].base;
  return handing == Handing::Itself && names_.nodes[node].kind == NodeKind::Load ? Handing::Content : handing;
}

} // namespace deadheat::analyse
