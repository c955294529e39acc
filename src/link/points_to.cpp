#include "link/points_to.h"

#include <algorithm>

#include "link/places.h"
#include "link/points_to_state.h"

namespace deadheat::link {

namespace {

bool overlap(const Place &first, uint32_t firstSize, const Place &second, uint32_t secondSize) {
  if (first.object != second.object) return false;
  if (first.offset == kAnyOffset || second.offset == kAnyOffset) return true;
  return first.offset < second.offset + static_cast<int64_t>(secondSize) &&
         second.offset < first.offset + static_cast<int64_t>(firstSize);
}

} // namespace

PointsTo::PointsTo() = default;
PointsTo::PointsTo(PointsTo &&) noexcept = default;
PointsTo &PointsTo::operator=(PointsTo &&) noexcept = default;
PointsTo::~PointsTo() = default;

Location PointsTo::of(FuncId function, model::Operand operand) const {
  if (operand.isSymbol())
    return {state_->symbols[state_->unitOf[function.value()].value()][operand.symbol().value()], 0};
  if (!operand.isValue()) return {};
  Location location = state_->values[state_->firstValue[function.value()] + operand.value().value()];
  return location.valid() ? Location{state_->graph.find(location.node), location.offset} : location;
}

Location PointsTo::returned(FuncId function) const {
  NodeId node = state_->returned[function.value()];
  return node.valid() ? Location{state_->graph.find(node), 0} : Location();
}

Location PointsTo::variable(GlobalId variable) const { return {state_->variables[variable.value()], 0}; }
Location PointsTo::functionItself(FuncId function) const { return {state_->functions[function.value()], 0}; }
Location PointsTo::object(ObjectId object) const { return {state_->graph.nodeOf(object), 0}; }

Location PointsTo::content(Location location) const {
  if (!location.valid()) return {};
  NodeId hub = state_->graph.contentIfAny(location);
  return hub.valid() ? Location{hub, 0} : Location();
}

Places PointsTo::places(Location location, size_t most) const {
  bool isCrowded = location.valid() && state_->crowded[state_->graph.find(location.node).value()];
  return isCrowded && most <= kMaxPlaces ? Places{{}, false} : placesOf(state_->graph, location, most);
}

std::optional<Place> PointsTo::single(Location location) const { return state_->single.of(state_->graph, location); }

bool PointsTo::mayAlias(Location first, uint32_t firstSize, Location second, uint32_t secondSize) const {
  if (!first.valid() || !second.valid()) return false;
  if (classOf(first.node) != classOf(second.node)) return false;
  Places a = places(first), b = places(second);
  if (!a.complete || !b.complete) return true;
  for (const Place &one : a.list)
    for (const Place &other : b.list)
      if (overlap(one, firstSize, other, secondSize)) return true;
  return false;
}

ClassId PointsTo::classOf(NodeId node) const { return ClassId(state_->classOf[node.value()]); }
uint32_t PointsTo::classSize(ClassId id) const { return state_->classSize[id.value()]; }
const IdTable<ObjectId, Object> &PointsTo::objects() const { return state_->graph.objects(); }
uint32_t PointsTo::nodeCount() const { return state_->graph.nodeCount(); }

std::vector<bool> PointsTo::reachable(const std::vector<Location> &roots) const {
  const FlowGraph &graph = state_->graph;
  std::vector<bool> seen(graph.nodeCount(), false);
  std::vector<NodeId> pending;
  auto reach = [&](NodeId node) {
    if (seen[node.value()]) return;
    seen[node.value()] = true;
    pending.push_back(node);
  };
  for (const Location &root : roots)
    if (root.valid()) reach(graph.find(root.node));
  while (!pending.empty()) {
    NodeId node = pending.back();
    pending.pop_back();
    graph.forEachEdge(node, [&](NodeId from, int32_t) { reach(from); });
    graph.forEachCell(node, [&](int32_t, NodeId hub) { reach(hub); });
  }
  return seen;
}

std::vector<Location> PointsTo::walking() const {
  std::vector<Location> all;
  for (NodeId node : state_->graph.walking()) all.push_back({state_->graph.find(node), 0});
  return all;
}

std::vector<bool> PointsTo::mayPointTo(const std::vector<bool> &objects) const {
  return state_->graph.downstream(objects);
}

} // namespace deadheat::link
