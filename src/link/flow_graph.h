// The graph of points_to.h while it grows: nodes, the edges that lead into them, and what is stored in them.
//
// Edges and stores only gather until the first solve(), so that closeCycles() can come before.
//
// Claim   After solve(): if there is an edge (from + offset) -> to, and something is stored at to + x, then the same hub is
//         stored at from + offset + x.
// Cost    Amortised near-linear in edges x fields. 24 bytes a node, 16 an edge, 12 a stored field.
#pragma once

#include <vector>

#include "link/lists.h"
#include "link/points_to.h"

namespace deadheat::link {

class FlowGraph {
public:
  static constexpr uint32_t kMaxFields = 64; // then the node's contents fold into one

  struct Edge {
    NodeId from;
    NodeId to; // as it was when the edge came
    int32_t offset;
    uint32_t next;
  };

  NodeId addHub() { return addNode(); }
  // An array of elements of `stride` bytes as a whole; 0: none.
  NodeId addObject(const Object &object, uint32_t stride = 0);

  NodeId find(NodeId node) const; // changes nothing: queries may run side by side
  NodeId find(NodeId node);       // shortens the way
  void shortenAll();
  bool isObject(NodeId node) const { return object_[node.value()] != kNone; }
  ObjectId objectOf(NodeId node) const { return ObjectId(object_[node.value()]); }
  NodeId nodeOf(ObjectId object) const { return objectNodes_[object.value()]; }
  uint32_t strideOf(ObjectId object) const { return strides_[object.value()]; }
  const IdTable<ObjectId, Object> &objects() const { return objects_; }
  uint32_t nodeCount() const { return static_cast<uint32_t>(nodes_.size()); }

  // `to` may point wherever `from` points.
  void flow(Location from, NodeId to);
  // The hub of what is stored at a location; made if need be.
  NodeId content(Location location);
  // The same without making one.
  NodeId contentIfAny(Location location) const;
  void unify(NodeId first, NodeId second) { work_.push_back({Task::Unify, first, 0, second}); }
  void solve();
  // Hubs that flow into each other without a shift become one. Where pointers walk (a cycle that shifts), one edge of the
  // cycle forgets its shift: they stay in the array where they began.
  void closeCycles();
  // A node of each such cycle.
  const std::vector<NodeId> &walking() const { return walking_; }

  // Visits (from, offset) of the edges into a node, (offset, hub) of what is stored in it.
  template <typename Visit> void forEachEdge(NodeId node, Visit visit) const {
    for (uint32_t e = nodes_[find(node).value()].firstEdge; e != kNone; e = edges_[e].next)
      visit(find(edges_[e].from), edges_[e].offset);
  }
  // Visits (from, to) of the edges behind the first so many.
  template <typename Visit> void forEachEdgeSince(uint32_t first, Visit visit) const {
    for (uint32_t e = first; e < edges_.size(); ++e) visit(find(edges_[e].from), find(edges_[e].to));
  }
  // [node]: where the edges into it come from.
  Lists<NodeId, uint32_t> sources() const;
  // [node]: whether one of the objects ([object]) flows into it.
  std::vector<bool> downstream(const std::vector<bool> &objects) const;
  // The offset, inside the first element if the node is an array.
  int32_t inElement(NodeId node, int64_t offset) const;
  // Nodes joined by edges are of one class; returns the number of classes.
  uint32_t classes(std::vector<uint32_t> &classOf) const;
  template <typename Visit> void forEachCell(NodeId node, Visit visit) const {
    for (uint32_t c = nodes_[find(node).value()].firstCell; c != kNone; c = cells_[c].next)
      visit(cells_[c].offset, find(cells_[c].hub));
  }
  uint32_t edgeCount() const { return static_cast<uint32_t>(edges_.size()); }

private:
  static constexpr uint32_t kNone = UINT32_MAX;

  struct Node {
    uint32_t parent;
    uint32_t firstEdge = kNone;
    uint32_t lastEdge = kNone;
    uint32_t firstCell = kNone;
    uint32_t edgeCount = 0;
    uint16_t cellCount = 0;
    uint16_t folded = 0; // one cell stands for all offsets
  };
  static_assert(sizeof(Node) == 24);

  struct Cell {
    int32_t offset;
    NodeId hub;
    uint32_t next;
  };

  enum class Task : uint8_t { Unify, Store, Fold };
  struct Work {
    Task task;
    NodeId node;
    int32_t offset;
    NodeId hub;
  };

  NodeId addNode();
  int32_t cellAt(NodeId node, int64_t offset) const;
  uint32_t findCell(const Node &node, int32_t offset) const;
  void addCell(NodeId node, int32_t offset, NodeId hub);
  void store(NodeId node, int32_t offset, NodeId hub);
  void storeThrough(const Edge &edge, int32_t offset, NodeId hub);
  void storeAll(NodeId node, const Edge &edge);
  void fold(NodeId node);
  void merge(NodeId first, NodeId second);
  void moveCells(NodeId from, NodeId to);
  void straighten(const std::vector<uint32_t> &component, NodeId root, std::vector<int32_t> &potential);

  std::vector<Node> nodes_;
  std::vector<uint32_t> object_; // [node]
  std::vector<Edge> edges_;
  std::vector<Cell> cells_;
  IdTable<ObjectId, Object> objects_;
  std::vector<NodeId> objectNodes_;
  std::vector<uint32_t> strides_;
  std::vector<Work> work_;
  std::vector<NodeId> walking_;
  bool gathering_ = true;
};

} // namespace deadheat::link
