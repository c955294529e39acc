// Which objects a pointer may point to, where inside them, and what may be stored there.
//
// A graph in the manner of Das's one-level flow, with fields. A node is either an object (an allocation site: a stack
// slot, a variable, a function, a heap call) or a hub: all that one pointer may point to. A location is a node and a byte
// offset. Assignments are edges: `from + offset` flows into a hub, and objects never merge. What is *stored* at equal
// places along an edge is unified (that is the one level): the contents of a node at each offset are one hub.
//
//     obj A --+0--> hub p <--+16-- obj B      p may point to A, or to B at 16
//       |8            |8             |24      what is stored at p+8, A+8 and B+24 is one hub
//       v             v              v
//     (        one and the same hub         )
//
// Claim   places(of(f, v)) contains every object that v may point to, unless `complete` is false: then every object of
//         the class may be meant.
// Assumes pointers are not made of integers that came from elsewhere; an index stays inside its array, and a pointer that
//         walks stays in the array where it began; type of a variable tells whether it is an array as a whole.
// Cost    near-linear: one node per parameter, load, phi, call result and allocation; (edges x fields), at most 64 fields
//         of a node before its contents are folded into one.
// Misses  an embedded array's elements at constant indices are other places than its element at an unknown index, which is the first
//         one; what initial values put into any element is there, too.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "link/ids.h"
#include "model/code.h"

namespace deadheat::link {

inline constexpr int32_t kAnyOffset = INT32_MIN;
inline constexpr size_t kMaxPlaces = 256; // more say no more than the class does

struct Location {
  NodeId node; // invalid: points to nothing we know (a number, null)
  int32_t offset = 0;

  bool valid() const { return node.valid(); }
  Location moved(int64_t bytes) const {
    return {node, offset == kAnyOffset ? offset : offset + static_cast<int32_t>(bytes)};
  }
  auto operator<=>(const Location &) const = default;
};

enum class ObjectKind : uint8_t { Stack, Heap, Variable, Function, External, Thread };

// Heap: what a call of an allocator returns. External: what a function without a body returns. Thread: the handle of a
// thread, stored where its creator wants it.
struct Object {
  ObjectKind kind = ObjectKind::Stack;
  FuncId function = {};              // Stack, Heap, External, Thread: where it is made; Function: itself
  GlobalId variable = {};            // Variable
  model::StatementId statement = {}; // of the function's unit: Stack and calls
  CallSiteId call = {};              // Heap, External, Thread
  uint64_t size = 0;                 // 0: not known
};

struct Place {
  ObjectId object;
  int32_t offset = 0; // kAnyOffset: somewhere inside
  auto operator<=>(const Place &) const = default;
};

struct Places {
  std::vector<Place> list; // sorted, unique
  bool complete = true;    // false: there are too many, or unknown code had a hand in it; ask classOf
};

class PointsTo {
public:
  PointsTo();
  PointsTo(PointsTo &&) noexcept;
  PointsTo &operator=(PointsTo &&) noexcept;
  ~PointsTo();

  // Where the operand points, in a function with a body.
  Location of(FuncId function, model::Operand operand) const;
  Location returned(FuncId function) const;
  Location variable(GlobalId variable) const; // its own storage
  Location functionItself(FuncId function) const;
  Location object(ObjectId object) const;

  // What a pointer stored at `location` points to; invalid: none was ever seen there.
  Location content(Location location) const;

  // At most so many; where there are more, they are not complete.
  Places places(Location location, size_t most = kMaxPlaces) const;
  // The only place that it is; nothing: there are several, or none is known.
  std::optional<Place> single(Location location) const;
  bool mayAlias(Location first, Location second) const { return mayAlias(first, 1, second, 1); }
  // Accesses of so many bytes each.
  bool mayAlias(Location first, uint32_t firstSize, Location second, uint32_t secondSize) const;

  // [node]: all that can be reached from the roots, through any number of pointers.
  std::vector<bool> reachable(const std::vector<Location> &roots) const;
  // [node]: those that may point to one of the objects ([object]); an object to itself.
  std::vector<bool> mayPointTo(const std::vector<bool> &objects) const;

  // Pointers that step through what they point to, from one round of a loop to the next.
  std::vector<Location> walking() const;

  // All objects that unification alone would not tell apart. The larger, the less it says.
  ClassId classOf(NodeId node) const;
  uint32_t classSize(ClassId id) const; // objects

  const IdTable<ObjectId, Object> &objects() const;
  uint32_t nodeCount() const;

private:
  friend class PointsToBuilder;
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace deadheat::link
