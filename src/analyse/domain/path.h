// Symbolic locations (RELAY, Fig. 2): what a pointer holds, in terms of what its function was given.
//
// A node is an address that has a name: a formal's value, a global, an object allocated or put on the stack here, the
// value found in a location on entry (paper: init), an element of an array, the value of one assignment that has no
// better name, or some object of a points-to class. A location is a node and a number of bytes, so that the paper's
// must(o) is a location and its init(o) is the node Load(o) with 0 bytes: one notion instead of two.
//
// Claim   Equal ids are equal names. Ids are given in order of creation, so a table filled by the same steps is the same.
// Assumes a name stands for one address as long as no write that may have changed it is seen (ERRATA.md: the paper
//         gives up a location after every step as soon as it escapes; then no lock inside a struct could be named).
// Cost    One hash lookup per name; names of more than kMaxDepth steps are refused, the caller folds them.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

#include "llvm/ADT/DenseMap.h"

#include "support/id.h"

namespace deadheat::analyse {

using NodeId = Id<struct NodeTag>;

inline constexpr unsigned kMaxDepth = 4;     // loads and elements in a name
inline constexpr unsigned kMaxSomeDepth = 1; // in one that begins at some object: it says little, whatever follows

enum class NodeKind : uint8_t {
  Formal, // the value of parameter `index` on entry; owner: a thread, in the names of a whole program
  Global, // the address of global `index`
  Heap,   // the object that statement `index` of function `owner` allocates; offset: ordinal among those of one call
  Stack,  // the stack object of statement `index` of function `owner`
  Load,   // the value that the location (base, offset) had on entry
  Element, // (base, offset) + some multiple of `stride`; index: which SSA value chooses it, kAnyKey: not told; owner: Choice
  Opaque, // SSA value `index` of the function at hand, since nothing better is known of it
  Some,   // some object of points-to class `index`; owner 1: whichever, of those that are locked alike; stride: field
};

inline constexpr uint32_t kAnyKey = UINT32_MAX;
inline constexpr uint32_t kOwnKey = UINT32_MAX - 1;        // chosen by what each thread has another of
inline constexpr uint32_t kFormals = 64;                   // parameters that can be told as a key
inline constexpr uint32_t kFormalKey = kOwnKey - kFormals; // chosen by parameter 0; the others follow

// That an element is chosen by a formal, or by what is reached from it by so many loads: callers know more of that. Or that
// it is one of a slice whose bounds are, or are computed from it. Or that the number is computed from the formal and others
// (`y * width + x`): who goes over a slice of that has a slice.
struct Choice {
  static constexpr uint32_t kSlice = 1U << 31;
  static constexpr uint32_t kComputed = 1U << 30;
  static constexpr uint32_t kTaken = 1U << 29;
  static constexpr uint32_t kRow = 1U << 28; // computed, with something else beside it: an element of the formal's row
  uint32_t number = 0;                       // 0: by something else
  static Choice by(uint32_t formal, uint32_t loads, uint32_t how = 0) { return {(formal + 1) | loads << 16 | how}; }
  static Choice taken() { return {kTaken}; }
  bool valid() const { return number != 0; }
  bool isTaken() const { return number == kTaken; } // by a number that nobody else gets: then there is no formal
  uint32_t formal() const { return (number & 0xffff) - 1; }
  uint32_t loads() const { return (number & ~(kSlice | kComputed | kRow)) >> 16; }
  bool isSlice() const { return (number & kSlice) != 0; }
  bool isComputed() const { return (number & kComputed) != 0; }
  bool isRow() const { return (number & kRow) != 0; }
};

struct Node {
  NodeKind kind = NodeKind::Some;
  uint8_t depth = 0;
  bool some = false;   // begins at some object of a class
  bool folded = false; // a longer name was given up for this one
  uint32_t owner = 0;
  uint32_t index = 0;
  NodeId base = {};
  int64_t offset = 0;
  uint32_t stride = 0;
  bool operator==(const Node &) const = default;
};

struct Address {
  NodeId node = {};
  int64_t offset = 0;
  auto operator<=>(const Address &) const = default;
};

class NodeTable {
public:
  NodeId formal(uint32_t number, uint32_t owner = 0);
  NodeId global(uint32_t global);
  NodeId heap(uint32_t owner, uint32_t statement, uint32_t ordinal = 0);
  NodeId stack(uint32_t owner, uint32_t statement);
  NodeId opaque(uint32_t value);
  NodeId some(uint32_t pointsToClass, bool folded = false, uint32_t field = 0); // of a lock: the member it is kept in
  NodeId kin(uint32_t pointsToClass); // any object of the class: stands for all of them
  // Nothing: the name would be too long.
  std::optional<NodeId> load(Address location);
  std::optional<NodeId> element(Address array, uint32_t stride, uint32_t key, Choice choice = {});

  std::optional<NodeId> findLoad(Address location) const; // if it has a name already

  const Node &operator[](NodeId id) const { return nodes_[id]; }
  size_t size() const { return nodes_.size(); }

  NodeId root(NodeId node) const;
  uint32_t loads(NodeId node) const; // on the way from the root
  // `node` is `ancestor`, or is reached from it by loads and elements.
  bool hasAncestor(NodeId node, NodeId ancestor) const;
  // Any step of the name satisfies `holds`.
  template <typename Predicate> bool any(NodeId node, Predicate holds) const {
    for (; node.valid(); node = nodes_[node].base)
      if (holds(nodes_[node])) return true;
    return false;
  }

private:
  NodeId intern(const Node &node);

  IdTable<NodeId, Node> nodes_;
  llvm::DenseMap<uint64_t, NodeId> byHash_;
};

// A root that is one object and no other: different ones never overlap.
constexpr bool isObject(NodeKind kind) {
  return kind == NodeKind::Global || kind == NodeKind::Heap || kind == NodeKind::Stack;
}

// The two cannot be the same bytes, whatever the points-to classes say: they lie in different objects, or in different
// parts of the same one. Sizes in bytes, 0: not known.
bool disjoint(const NodeTable &nodes, Address a, uint64_t sizeA, Address b, uint64_t sizeB);

} // namespace deadheat::analyse
