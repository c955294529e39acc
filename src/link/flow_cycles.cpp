#include "llvm/ADT/IntEqClasses.h"

#include "link/components.h"
#include "link/flow_graph.h"

namespace deadheat::link {

Lists<NodeId, uint32_t> FlowGraph::sources() const {
  Lists<NodeId, uint32_t> lists;
  lists.starts.assign(nodes_.size() + 1, 0);
  for (const Edge &edge : edges_) ++lists.starts[find(edge.to).value() + 1];
  for (size_t i = 1; i < lists.starts.size(); ++i) lists.starts[i] += lists.starts[i - 1];
  lists.items.resize(edges_.size());
  std::vector<uint32_t> at(lists.starts.begin(), lists.starts.end() - 1);
  for (const Edge &edge : edges_) lists.items[at[find(edge.to).value()]++] = find(edge.from).value();
  return lists;
}

void FlowGraph::closeCycles() {
  Lists<NodeId, uint32_t> from = sources();
  Components found = findComponents(nodeCount(), [&](uint32_t node) { return from[NodeId(node)]; });
  from = {};
  std::vector<bool> shifts(found.count, false);
  auto inside = [&](const Edge &edge) {
    NodeId source = find(edge.from), target = find(edge.to);
    return source != target && found.of[source.value()] == found.of[target.value()];
  };
  for (const Edge &edge : edges_)
    if (inside(edge) && edge.offset != 0) shifts[found.of[find(edge.to).value()]] = true;

  std::vector<int32_t> potential(nodes_.size(), kAnyOffset);
  for (const Edge &edge : edges_)
    if (inside(edge) && shifts[found.of[find(edge.to).value()]]) straighten(found.of, find(edge.to), potential);
  for (const Edge &edge : edges_)
    if (inside(edge) && !shifts[found.of[find(edge.to).value()]]) merge(find(edge.from), find(edge.to));
}

// Gives every node of root's component its distance from the root; an edge that would contradict it takes the distance.
void FlowGraph::straighten(const std::vector<uint32_t> &component, NodeId root, std::vector<int32_t> &potential) {
  if (potential[root.value()] != kAnyOffset) return;
  potential[root.value()] = 0;
  std::vector<NodeId> reached{root};
  while (!reached.empty()) {
    NodeId to = reached.back();
    reached.pop_back();
    for (uint32_t e = nodes_[to.value()].firstEdge; e != kNone; e = edges_[e].next) {
      NodeId source = find(edges_[e].from);
      if (component[source.value()] != component[to.value()] || source == to) continue;
      if (edges_[e].offset == kAnyOffset) edges_[e].offset = 0;
      if (potential[source.value()] == kAnyOffset) {
        potential[source.value()] = potential[to.value()] - edges_[e].offset;
        reached.push_back(source);
      } else if (int32_t distance = potential[to.value()] - potential[source.value()]; edges_[e].offset != distance) {
        edges_[e].offset = distance;
        walking_.push_back(to);
      }
    }
  }
}

std::vector<bool> FlowGraph::downstream(const std::vector<bool> &objects) const {
  Lists<NodeId, NodeId> targets;
  targets.starts.assign(nodes_.size() + 1, 0);
  for (const Edge &edge : edges_) ++targets.starts[find(edge.from).value() + 1];
  for (size_t i = 1; i < targets.starts.size(); ++i) targets.starts[i] += targets.starts[i - 1];
  targets.items.resize(edges_.size());
  std::vector<uint32_t> at(targets.starts.begin(), targets.starts.end() - 1);
  for (const Edge &edge : edges_) targets.items[at[find(edge.from).value()]++] = find(edge.to);

  std::vector<bool> reached(nodes_.size(), false);
  std::vector<NodeId> pending;
  auto reach = [&](NodeId node) {
    if (!reached[node.value()]) pending.push_back(node);
    reached[node.value()] = true;
  };
  for (uint32_t i = 0; i < objects.size(); ++i)
    if (objects[i]) reach(nodeOf(ObjectId(i)));
  while (!pending.empty()) {
    NodeId node = pending.back();
    pending.pop_back();
    for (NodeId target : targets[node]) reach(target);
  }
  return reached;
}

uint32_t FlowGraph::classes(std::vector<uint32_t> &classOf) const {
  llvm::IntEqClasses joined(nodeCount());
  for (uint32_t node = 0; node < nodeCount(); ++node) joined.join(node, find(NodeId(node)).value());
  for (const Edge &edge : edges_) joined.join(edge.from.value(), edge.to.value());
  joined.compress();
  classOf.resize(nodeCount());
  for (uint32_t node = 0; node < nodeCount(); ++node) classOf[node] = joined[node];
  return joined.getNumClasses();
}

} // namespace deadheat::link
