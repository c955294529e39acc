#include "analyse/domain/path.h"

namespace deadheat::analyse {

// One bit less than it could have: the largest keys are the map's own marks.
static uint64_t hashOf(const Node &node) {
  uint64_t hash = static_cast<uint64_t>(node.kind) << 1 | node.folded;
  for (uint64_t part :
       {static_cast<uint64_t>(node.owner) << 32 | node.index,
        static_cast<uint64_t>(node.base.value()) << 32 | node.stride, static_cast<uint64_t>(node.offset)}) {
    hash = (hash ^ part) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 29;
  }
  return hash >> 1;
}

// Nodes with one hash have the keys that follow it.
NodeId NodeTable::intern(const Node &node) {
  for (uint64_t key = hashOf(node);; ++key) {
    auto [place, isNew] = byHash_.try_emplace(key);
    if (isNew) return place->second = nodes_.add(node);
    if (nodes_[place->second] == node) return place->second;
  }
}

NodeId NodeTable::formal(uint32_t number, uint32_t owner) {
  return intern({.kind = NodeKind::Formal, .owner = owner, .index = number});
}

NodeId NodeTable::global(uint32_t global) { return intern({.kind = NodeKind::Global, .index = global}); }

NodeId NodeTable::heap(uint32_t owner, uint32_t statement, uint32_t ordinal) {
  return intern({.kind = NodeKind::Heap, .owner = owner, .index = statement, .offset = ordinal});
}

NodeId NodeTable::stack(uint32_t owner, uint32_t statement) {
  return intern({.kind = NodeKind::Stack, .owner = owner, .index = statement});
}

NodeId NodeTable::opaque(uint32_t value) { return intern({.kind = NodeKind::Opaque, .index = value}); }

NodeId NodeTable::some(uint32_t pointsToClass, bool folded, uint32_t field) {
  return intern({.kind = NodeKind::Some, .some = true, .folded = folded, .index = pointsToClass, .stride = field});
}

NodeId NodeTable::kin(uint32_t pointsToClass) {
  return intern({.kind = NodeKind::Some, .some = true, .owner = 1, .index = pointsToClass});
}

static bool isDeepest(const Node &base) { return base.depth >= (base.some ? kMaxSomeDepth : kMaxDepth); }

static Node loadOf(const Node &base, Address location) {
  return {.kind = NodeKind::Load,
          .depth = static_cast<uint8_t>(base.depth + 1),
          .some = base.some,
          .folded = base.folded,
          .base = location.node,
          .offset = location.offset};
}

std::optional<NodeId> NodeTable::load(Address location) {
  const Node &base = nodes_[location.node];
  if (isDeepest(base)) return std::nullopt;
  return intern(loadOf(base, location));
}

std::optional<NodeId> NodeTable::findLoad(Address location) const {
  Node node = loadOf(nodes_[location.node], location);
  for (uint64_t key = hashOf(node);; ++key) {
    auto place = byHash_.find(key);
    if (place == byHash_.end()) return std::nullopt;
    if (nodes_[place->second] == node) return place->second;
  }
}

std::optional<NodeId> NodeTable::element(Address array, uint32_t stride, uint32_t key, Choice choice) {
  const Node &base = nodes_[array.node];
  if (isDeepest(base)) return std::nullopt;
  return intern({.kind = NodeKind::Element,
                 .depth = static_cast<uint8_t>(base.depth + 1),
                 .some = base.some,
                 .folded = base.folded,
                 .owner = choice.number,
                 .index = key,
                 .base = array.node,
                 .offset = array.offset,
                 .stride = stride});
}

uint32_t NodeTable::loads(NodeId node) const {
  uint32_t count = 0;
  for (; node.valid(); node = nodes_[node].base) count += nodes_[node].kind == NodeKind::Load;
  return count;
}

NodeId NodeTable::root(NodeId node) const {
  while (nodes_[node].base.valid()) node = nodes_[node].base;
  return node;
}

bool NodeTable::hasAncestor(NodeId node, NodeId ancestor) const {
  for (; node.valid(); node = nodes_[node].base)
    if (node == ancestor) return true;
  return false;
}

// The object that the location lies in, if it is one, with elements of arrays stepped over.
static std::optional<NodeId> objectOf(const NodeTable &nodes, NodeId node) {
  while (nodes[node].kind == NodeKind::Element) node = nodes[node].base;
  if (isObject(nodes[node].kind)) return node;
  return std::nullopt;
}

static bool apart(int64_t a, uint64_t sizeA, int64_t b, uint64_t sizeB) {
  return a < b ? sizeA != 0 && a + static_cast<int64_t>(sizeA) <= b
               : b < a && sizeB != 0 && b + static_cast<int64_t>(sizeB) <= a;
}

bool disjoint(const NodeTable &nodes, Address a, uint64_t sizeA, Address b, uint64_t sizeB) {
  if (a.node == b.node) return apart(a.offset, sizeA, b.offset, sizeB);
  std::optional<NodeId> objectA = objectOf(nodes, a.node);
  std::optional<NodeId> objectB = objectOf(nodes, b.node);
  if (objectA && objectB && *objectA != *objectB) return true;
  const Node &nodeA = nodes[a.node];
  const Node &nodeB = nodes[b.node];
  // Two elements of one array: the same stride puts equal fields at equal distances.
  return nodeA.kind == NodeKind::Element && nodeB.kind == NodeKind::Element && nodeA.base == nodeB.base &&
         nodeA.offset == nodeB.offset && nodeA.stride == nodeB.stride && nodeA.stride != 0 && a.offset >= 0 &&
         b.offset >= 0 && a.offset < nodeA.stride && b.offset < nodeA.stride && apart(a.offset, sizeA, b.offset, sizeB);
}

} // namespace deadheat::analyse
