#include "link/flow_graph.h"

#include <utility>

namespace deadheat::link {

namespace {

constexpr int64_t kFarthest = int64_t(1) << 30; // no object is larger; beyond it an offset says nothing

int32_t shift(int64_t offset, int32_t by) {
  if (offset == kAnyOffset || by == kAnyOffset) return kAnyOffset;
  int64_t sum = offset + by;
  return sum > kFarthest || sum < -kFarthest ? kAnyOffset : static_cast<int32_t>(sum);
}

} // namespace

NodeId FlowGraph::addNode() {
  NodeId id(static_cast<uint32_t>(nodes_.size()));
  nodes_.push_back({.parent = id.value()});
  object_.push_back(kNone);
  return id;
}

NodeId FlowGraph::addObject(const Object &object, uint32_t stride) {
  NodeId node = addNode();
  object_[node.value()] = objects_.add(object).value();
  objectNodes_.push_back(node);
  strides_.push_back(stride);
  return node;
}

NodeId FlowGraph::find(NodeId node) const {
  uint32_t at = node.value();
  while (nodes_[at].parent != at) at = nodes_[at].parent;
  return NodeId(at);
}

void FlowGraph::shortenAll() {
  for (uint32_t i = 0; i < nodes_.size(); ++i) nodes_[i].parent = std::as_const(*this).find(NodeId(i)).value();
}

NodeId FlowGraph::find(NodeId node) {
  uint32_t at = node.value();
  while (nodes_[at].parent != at) at = nodes_[at].parent = nodes_[nodes_[at].parent].parent;
  return NodeId(at);
}

// The offset at which the node keeps what is stored: one for all if folded.
int32_t FlowGraph::cellAt(NodeId node, int64_t offset) const {
  return nodes_[node.value()].folded ? 0 : inElement(node, offset);
}

int32_t FlowGraph::inElement(NodeId node, int64_t offset) const {
  uint32_t stride = isObject(node) ? strideOf(objectOf(node)) : 0;
  if (stride == 0 || offset == kAnyOffset) return static_cast<int32_t>(offset);
  int64_t inside = offset % stride;
  return static_cast<int32_t>(inside < 0 ? inside + stride : inside);
}

uint32_t FlowGraph::findCell(const Node &node, int32_t offset) const {
  for (uint32_t c = node.firstCell; c != kNone; c = cells_[c].next)
    if (cells_[c].offset == offset) return c;
  return kNone;
}

void FlowGraph::addCell(NodeId id, int32_t offset, NodeId hub) {
  Node &node = nodes_[id.value()];
  cells_.push_back({offset, hub, node.firstCell});
  node.firstCell = static_cast<uint32_t>(cells_.size() - 1);
  ++node.cellCount;
  if (!gathering_)
    for (uint32_t e = node.firstEdge; e != kNone; e = edges_[e].next) storeThrough(edges_[e], offset, hub);
  if (node.cellCount > kMaxFields) work_.push_back({Task::Fold, id, 0, id});
}

NodeId FlowGraph::contentIfAny(Location location) const {
  NodeId node = find(location.node);
  uint32_t cell = findCell(nodes_[node.value()], cellAt(node, location.offset));
  return cell == kNone ? NodeId() : find(cells_[cell].hub);
}

NodeId FlowGraph::content(Location location) {
  if (location.offset == kAnyOffset) fold(find(location.node));
  NodeId node = find(location.node);
  int32_t offset = cellAt(node, location.offset);
  uint32_t cell = findCell(nodes_[node.value()], offset);
  if (cell != kNone) return cells_[cell].hub;
  NodeId hub = addHub();
  addCell(node, offset, hub);
  return hub;
}

void FlowGraph::flow(Location from, NodeId to) {
  to = find(to);
  if (!from.valid() || find(from.node) == to) return; // a pointer that walks stays in its array
  uint32_t id = static_cast<uint32_t>(edges_.size());
  Node &node = nodes_[to.value()];
  // Most repetitions come one after the other: a loop of stores, a list of equal calls.
  if (node.firstEdge != kNone && edges_[node.firstEdge].from == from.node &&
      edges_[node.firstEdge].offset == from.offset)
    return;
  edges_.push_back({from.node, to, from.offset, node.firstEdge});
  node.firstEdge = id;
  ++node.edgeCount;
  if (node.lastEdge == kNone) node.lastEdge = id;
  if (!gathering_) storeAll(to, edges_[id]);
}

// What is stored in `node` is stored where the edge comes from.
void FlowGraph::storeAll(NodeId node, const Edge &edge) {
  if (nodes_[node.value()].folded) work_.push_back({Task::Fold, edge.from, 0, edge.from});
  for (uint32_t c = nodes_[node.value()].firstCell; c != kNone; c = cells_[c].next)
    storeThrough(edge, cells_[c].offset, cells_[c].hub);
}

void FlowGraph::storeThrough(const Edge &edge, int32_t offset, NodeId hub) {
  if (find(edge.from) == find(edge.to)) return;
  work_.push_back({Task::Store, edge.from, shift(offset, edge.offset), hub});
}

void FlowGraph::store(NodeId node, int32_t offset, NodeId hub) {
  if (offset == kAnyOffset) fold(node);
  offset = cellAt(node, offset);
  uint32_t cell = findCell(nodes_[node.value()], offset);
  if (cell == kNone)
    addCell(node, offset, hub);
  else if (find(cells_[cell].hub) != find(hub))
    merge(find(cells_[cell].hub), find(hub));
}

void FlowGraph::fold(NodeId id) {
  if (nodes_[id.value()].folded) return;
  nodes_[id.value()].folded = 1;
  uint32_t first = nodes_[id.value()].firstCell;
  if (first != kNone) {
    for (uint32_t c = cells_[first].next; c != kNone; c = cells_[c].next) unify(cells_[first].hub, cells_[c].hub);
    cells_[first].offset = 0;
    cells_[first].next = kNone;
    nodes_[id.value()].cellCount = 1;
  }
  if (gathering_) return;
  for (uint32_t e = nodes_[id.value()].firstEdge; e != kNone; e = edges_[e].next) {
    work_.push_back({Task::Fold, edges_[e].from, 0, edges_[e].from});
    if (first != kNone) storeThrough(edges_[e], 0, cells_[first].hub);
  }
}

// The one with fewer edges goes into the other: only its edges are walked, and the other's for fields that are new to it.
// Each one's fields are stored through the other one's edges.
void FlowGraph::merge(NodeId first, NodeId second) {
  if (first == second) return;
  if (nodes_[first.value()].folded != nodes_[second.value()].folded) {
    fold(first);
    fold(second);
  }
  if (nodes_[first.value()].edgeCount < nodes_[second.value()].edgeCount) std::swap(first, second);
  Node &kept = nodes_[first.value()], &gone = nodes_[second.value()];
  if (!gathering_)
    for (uint32_t e = gone.firstEdge; e != kNone; e = edges_[e].next) storeAll(first, edges_[e]);
  gone.parent = first.value();
  moveCells(second, first);
  if (gone.firstEdge == kNone) return;
  edges_[gone.lastEdge].next = kept.firstEdge;
  if (kept.firstEdge == kNone) kept.lastEdge = gone.lastEdge;
  kept.firstEdge = gone.firstEdge;
  kept.edgeCount += gone.edgeCount;
}

void FlowGraph::moveCells(NodeId from, NodeId to) {
  for (uint32_t c = nodes_[from.value()].firstCell; c != kNone; c = cells_[c].next) {
    Cell moved = cells_[c]; // addCell may move cells_
    uint32_t same = findCell(nodes_[to.value()], moved.offset);
    if (same == kNone)
      addCell(to, moved.offset, moved.hub);
    else
      unify(cells_[same].hub, moved.hub);
  }
}

void FlowGraph::solve() {
  if (gathering_) {
    gathering_ = false;
    for (const Edge &edge : edges_) storeAll(find(edge.to), edge);
  }
  while (!work_.empty()) {
    Work work = work_.back();
    work_.pop_back();
    NodeId node = find(work.node);
    switch (work.task) {
    case Task::Unify: merge(node, find(work.hub)); break;
    case Task::Store: store(node, work.offset, find(work.hub)); break;
    case Task::Fold: fold(node); break;
    }
  }
}

} // namespace deadheat::link
