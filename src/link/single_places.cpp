#include "link/single_places.h"

#include "link/components.h"

namespace deadheat::link {

SinglePlaces::Row SinglePlaces::join(Row a, Row b) {
  if (a.object == kNobody || a == b) return b;
  return b.object == kNobody ? a : Row{kSeveral, 0};
}

SinglePlaces::Row SinglePlaces::shifted(Row row, int32_t offset) {
  if (row.object == kNobody || row.object == kSeveral) return row;
  int64_t shift = int64_t(row.shift) + offset;
  bool isKnown = offset != kAnyOffset && shift > INT32_MIN / 2 && shift < INT32_MAX / 2;
  return isKnown ? Row{row.object, static_cast<int32_t>(shift)} : Row{kSeveral, 0};
}

// Sources come in lower components. Within one, a row climbs twice at most.
SinglePlaces::SinglePlaces(const FlowGraph &graph) : rows_(graph.nodeCount(), {kNobody, 0}) {
  Lists<NodeId, uint32_t> sources = graph.sources();
  Components components = findComponents(graph.nodeCount(), [&](uint32_t node) { return sources[NodeId(node)]; });
  ListsBuilder<NodeId, NodeId> builder(components.count);
  for (uint32_t node = 0; node < graph.nodeCount(); ++node)
    if (graph.find(NodeId(node)) == NodeId(node)) builder.add(NodeId(components.of[node]), NodeId(node));
  Lists<NodeId, NodeId> members = builder.finish();
  auto made = [&](NodeId node) {
    Row row = rows_[node.value()];
    if (graph.isObject(node)) row = join(row, {graph.objectOf(node).value(), 0});
    graph.forEachEdge(node,
                      [&](NodeId from, int32_t offset) { row = join(row, shifted(rows_[from.value()], offset)); });
    return row;
  };
  for (uint32_t component = 0; component < components.count; ++component)
    for (bool changed = true; changed;) {
      changed = false;
      auto nodes = members[NodeId(component)];
      for (NodeId node : nodes)
        if (Row row = made(node); row != rows_[node.value()]) {
          rows_[node.value()] = row;
          changed = nodes.size() > 1;
        }
    }
}

std::optional<Place> SinglePlaces::of(const FlowGraph &graph, Location location) const {
  if (!location.valid() || location.offset == kAnyOffset) return std::nullopt;
  const Row &row = rows_[graph.find(location.node).value()];
  if (row.object == kNobody || row.object == kSeveral) return std::nullopt;
  ObjectId object(row.object);
  Place place{object, graph.inElement(graph.nodeOf(object), int64_t(location.offset) + row.shift)};
  return place.offset == kAnyOffset ? std::nullopt : std::optional(place);
}

} // namespace deadheat::link
