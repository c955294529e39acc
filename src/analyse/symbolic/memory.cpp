// Reading, writing, and who can reach what.
#include "analyse/symbolic/function.h"

#include <algorithm>

namespace deadheat::analyse {

static constexpr size_t kMaxMemory = 48;   // locations in a state
static constexpr size_t kMaxGuarded = 256; // the same, if the others are pointers in objects of the stack

NodeId FunctionAnalysis::known(NodeId node, const NodeInfo &info) {
  if (node.value() >= names_.info.size()) names_.info.resize(node.value() + 1);
  NodeInfo &row = names_.info[node.value()];
  if (!row.points.valid()) row.points = info.points;
  if (!row.stored.valid()) row.stored = info.stored;
  if (row.field == 0) row.field = info.field;
  row.isAtomic |= info.isAtomic;
  if (row.text.empty()) row.text = info.text;
  return node;
}

link::Location FunctionAnalysis::locationOf(Address address) const {
  link::Location location = infoOf(address.node).points;
  if (location.valid() && location.offset != link::kAnyOffset) location.offset += static_cast<int32_t>(address.offset);
  return location;
}

uint32_t FunctionAnalysis::classOf(link::Location location) const {
  return location.valid() ? program_.pointsTo.classOf(location.node).value() : UINT32_MAX;
}

NodeId FunctionAnalysis::opaque(model::ValueId value) {
  named_.set(value.value());
  return known(names_.nodes.opaque(value.value()),
               {.points = program_.pointsTo.of(function_, model::Operand::value(value))});
}

// What was read from a place that a callee may have written has no name of its own. For a lock the place is one: who keeps
// a lock behind a pointer sets that once.
std::optional<NodeId> FunctionAnalysis::nameByPlace(NodeId node, unsigned depth) {
  Node row = names_.nodes[node]; // a copy: the table grows
  if (depth == 0) return std::nullopt;
  if (row.kind != NodeKind::Opaque) {
    if (isObject(row.kind) || row.kind == NodeKind::Formal) return node;
    std::optional<NodeId> base = row.kind == NodeKind::Load ? nameByPlace(row.base, depth - 1) : std::nullopt;
    std::optional<NodeId> again = base ? names_.nodes.load({*base, row.offset}) : std::nullopt;
    return again ? std::optional(known(*again, NodeInfo(infoOf(node)))) : std::nullopt;
  }
  model::StatementId definition = definitions_[row.index];
  if (!definition.valid() || at(definition).kind != model::StatementKind::Load) return std::nullopt;
  Value place = evaluate(at(definition).a);
  std::optional<NodeId> base = place.isMust() ? nameByPlace(place.targets()[0].node, depth - 1) : std::nullopt;
  std::optional<NodeId> again = base ? names_.nodes.load({*base, place.targets()[0].offset}) : std::nullopt;
  if (!again) return std::nullopt;
  model::SiteId site = at(definition).site;
  return known(*again, {.points = infoOf(node).points,
                        .stored = program_.pointsTo.of(function_, at(definition).a),
                        .field = site.valid() ? environment_.fields.of(unitId_, site) : 0,
                        .text = textOf(site)});
}

std::string_view FunctionAnalysis::textOf(model::SiteId site) const {
  return site.valid() ? unit_.strings[unit_.sites[site].path] : std::string_view();
}

Value FunctionAnalysis::evaluate(const model::Operand &operand) {
  if (operand.isNumber()) return Value::number(operand.index);
  if (operand.isSymbol()) {
    link::Target target = program_.symbols.target(unitId_, operand.symbol());
    if (!target.variable.valid()) return Value::top();
    const link::Variable &variable = program_.variable(target.variable);
    NodeId node = known(names_.nodes.global(target.variable.value()),
                        {.points = program_.pointsTo.variable(target.variable), .text = variable.display});
    return Value::must({node, 0});
  }
  if (!operand.isValue()) return Value::top();
  const Value &value = values_[operand.value().value()];
  return value.isTop() ? Value::must({opaque(operand.value()), 0}) : value;
}

// Made here, or on the stack here, and not a caller's or another function's.
bool FunctionAnalysis::isOwn(NodeId node) const {
  const Node &row = names_.nodes[node];
  return (row.kind == NodeKind::Heap || row.kind == NodeKind::Stack) && row.owner == function_.value();
}

bool FunctionAnalysis::isPrivate(NodeId node, const State &state) const {
  while (names_.nodes[node].kind == NodeKind::Element) node = names_.nodes[node].base;
  return isOwn(node) && !containsSorted(state.published, node);
}

// glibc's mark that there is one thread only: where it matters, there are more.
bool FunctionAnalysis::isSingleThreadedMark(NodeId node) const {
  const Node &row = names_.nodes[node];
  return row.kind == NodeKind::Global && program_.variable(link::GlobalId(row.index)).name == "__libc_single_threaded";
}

bool FunctionAnalysis::isSetOnce(Address location) const {
  const Node &row = names_.nodes[location.node];
  return row.kind == NodeKind::Global && location.offset == 0 && environment_.setOnce.has(link::GlobalId(row.index));
}

// Since the thread has written there: whoever waits for a flag that it has reset itself is not waiting for ever. Members of the library's own
// types are kept by whoever has the object, and points-to knows few of these apart.
bool FunctionAnalysis::mayHaveChanged(Address location, uint32_t field, const State &state) const {
  return !environment_.fields.isLibrarys(field) && !isPrivate(location.node, state) &&
         environment_.writers.mayChange(function_, locationOf(location));
}

Value FunctionAnalysis::read(Address location, link::Location where, uint32_t field, const State &state,
                             const NodeInfo &info) {
  const Value *written = state.memory.find(location);
  if (isSetOnce(location) && (!written || (!written->isNumber() && !written->isMust())))
    if (std::optional<NodeId> node = names_.nodes.load(location)) return Value::must({known(*node, info), 0});
  if (written) return written->isNumber() && mayHaveChanged(location, field, state) ? Value::top() : *written;
  if (isSingleThreadedMark(location.node)) return Value::number(0);
  if (isPrivate(location.node, state)) return Value::top();
  uint32_t whereClass = environment_.fields.isSettled(field) ? UINT32_MAX : classOf(where);
  if (state.clobbers.touches(whereClass, field)) return Value::top();
  std::optional<NodeId> node = names_.nodes.load(location);
  return node ? Value::must({known(*node, info), 0}) : Value::top();
}

Value FunctionAnalysis::readAll(const Value &pointer, link::Location where, uint32_t field, model::ValueId result,
                                State &state) {
  NodeInfo info = {
      .points = program_.pointsTo.of(function_, model::Operand::value(result)), .stored = where, .field = field};
  Value all;
  for (Address target : pointer.targets()) all = Value::join(all, read(target, where, field, state, info));
  return all.isBottom() ? Value::top() : all;
}

void FunctionAnalysis::clobber(Address location, link::Location where, uint32_t field, State &state) {
  uint32_t whereClass = classOf(where);
  bool isAlone = isPrivate(location.node, state);
  for (auto &[other, value] : state.memory.rows()) {
    if (value.isTop() || other == location) continue;
    bool sameObject = other.node == location.node;
    bool mayBeSame =
        sameObject || (!isAlone && classOf(locationOf(other)) == whereClass && !isPrivate(other.node, state));
    if (mayBeSame && !disjoint(names_.nodes, other, 1, location, 1)) value = Value::top();
  }
  if (isAlone || whereClass == UINT32_MAX) return;
  state.clobbers.add({whereClass, field});
}

// A long function writes more than is kept. What an object on its stack points to is kept all the same: it may be a guard, which gives back
// at the end of the function what it has taken at the start, and who does not know what that was has lost all locks.
bool FunctionAnalysis::hasRoomFor(Address location, const Value &value, const State &state) const {
  const size_t count = state.memory.rows().size();
  if (count < kMaxMemory || state.memory.find(location)) return true;
  return count < kMaxGuarded && value.isMust() && names_.nodes[location.node].kind == NodeKind::Stack &&
         isOwn(location.node);
}

void FunctionAnalysis::write(const Value &pointer, const Value &value, link::Location where, uint32_t field,
                             State &state) {
  for (Address target : pointer.targets()) {
    noticeRemoval(target, value, state);
    clobber(target, where, field, state);
    keep(target, value, state);
    bool isExact = pointer.isMust() && names_.nodes[target.node].kind != NodeKind::Element &&
                   names_.nodes[target.node].kind != NodeKind::Some;
    if (hasRoomFor(target, isExact ? value : Value::top(), state))
      state.memory.set(target, isExact ? value : Value::top());
    noticeHandOver(target, value, state);
  }
}

// From here on, what the thread did that set it, or told it, is done.
void FunctionAnalysis::comeAfter(const Value &signal, bool isMutual, State &state) {
  if (signal.isMust() && !isPrivate(signal.targets()[0].node, state))
    insertSorted(state.after, {signal.targets()[0], LockMode::After, 1, false, isMutual});
}

} // namespace deadheat::analyse
