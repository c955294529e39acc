#include "analyse/race/common_lock.h"

#include <algorithm>

#include "llvm/ADT/SmallVector.h"

#include "link/loops.h"

namespace deadheat::analyse {

using Steps = llvm::SmallVector<int64_t, 2 * kMaxDepth + 1>;

// The steps from `ancestor` to a location.
static Steps stepsFrom(const NodeTable &nodes, NodeId ancestor, Address location) {
  Steps steps = {location.offset};
  for (NodeId node = location.node; node != ancestor; node = nodes[node].base) {
    steps.push_back(static_cast<int64_t>(nodes[node].kind));
    steps.push_back(nodes[node].offset);
  }
  return steps;
}

namespace {

struct Relation {
  Steps toLock;
  Steps toAccess;
  int64_t distance = 0;
  bool operator==(const Relation &other) const {
    // In the object itself, only the distance counts: names may begin at different places of it.
    bool isNear = toLock.size() == 1 && toAccess.size() == 1;
    bool otherNear = other.toLock.size() == 1 && other.toAccess.size() == 1;
    return isNear && otherNear ? distance == other.distance : toLock == other.toLock && toAccess == other.toAccess;
  }
};

} // namespace

static std::optional<Relation> relationOf(const NodeTable &nodes, Address lock, Address lvalue) {
  for (NodeId common = lock.node; common.valid(); common = nodes[common].base)
    if (nodes.hasAncestor(lvalue.node, common))
      return Relation{stepsFrom(nodes, common, lock), stepsFrom(nodes, common, lvalue), lock.offset - lvalue.offset};
  return std::nullopt;
}

// Equal but for who chooses elements of arrays: a thread's own one may be the one that another has chosen.
static bool areAlike(const NodeTable &nodes, Address a, Address b) {
  if (a.offset != b.offset) return false;
  NodeId first = a.node, second = b.node;
  for (; first != second; first = nodes[first].base, second = nodes[second].base) {
    const Node &left = nodes[first];
    const Node &right = nodes[second];
    bool isStep = left.kind == NodeKind::Element || left.kind == NodeKind::Load;
    if (!isStep || left.kind != right.kind || left.offset != right.offset || left.stride != right.stride) return false;
  }
  return true;
}

// The element of its array that `fixed` is, if it is one that `chosen` may be, too.
static std::optional<int64_t> numberOf(const NodeTable &nodes, Address fixed, Address chosen) {
  const Node &element = nodes[chosen.node];
  if (element.kind != NodeKind::Element || element.base != fixed.node || element.stride == 0) return std::nullopt;
  int64_t distance = fixed.offset - element.offset - chosen.offset;
  if (distance < 0 || distance % element.stride != 0) return std::nullopt;
  return distance / element.stride;
}

// `lock[3]` for `n[3]` on one side, `lock[i]` for `n[i]` on the other: if `i` is 3, both are the same.
static bool areOfOneNumber(const NodeTable &nodes, Address lockA, Address lvalueA, Address lockB, Address lvalueB) {
  std::optional<int64_t> lock = numberOf(nodes, lockA, lockB);
  return lock && lock == numberOf(nodes, lvalueA, lvalueB);
}

static bool isSame(const NodeTable &nodes, const HeldLock &a, Address lvalueA, const HeldLock &b, Address lvalueB) {
  if (areAlike(nodes, a.lock, b.lock) && isObject(nodes[nodes.root(a.lock.node)].kind)) return true;
  if (areOfOneNumber(nodes, a.lock, lvalueA, b.lock, lvalueB)) return true;
  if (areOfOneNumber(nodes, b.lock, lvalueB, a.lock, lvalueA)) return true;
  std::optional<Relation> relationA = relationOf(nodes, a.lock, lvalueA);
  std::optional<Relation> relationB = relationOf(nodes, b.lock, lvalueB);
  return relationA && relationB && *relationA == *relationB;
}

static bool isKin(const NodeTable &nodes, const HeldLock &held) {
  const Node &node = nodes[held.lock.node];
  return node.kind == NodeKind::Some && node.owner != 0;
}

static bool isKin(const World &world, const HeldLock &a, const HeldLock &b) {
  const link::PointsTo &pointsTo = world.environment.program.pointsTo;
  link::Location first = world.names.info[a.lock.node.value()].points;
  link::Location second = world.names.info[b.lock.node.value()].points;
  if (!first.valid() || !second.valid() || first.offset == link::kAnyOffset || second.offset == link::kAnyOffset)
    return false;
  return first.offset + a.lock.offset == second.offset + b.lock.offset &&
         pointsTo.classOf(first.node) == pointsTo.classOf(second.node);
}

// Made by threads of which there is one each, and none of it in the rounds of a loop in which one starts the others.
static bool isMadeByOne(const World &world, link::Location location, link::FuncId starter) {
  const link::Program &program = world.environment.program;
  const link::Places places = program.pointsTo.places(location);
  const link::Code code{program.units, program.symbols};
  auto isInLoop = [&](const link::Object &object) {
    return link::findLoops(code, starter).repeats(code.blockOf(starter, object.statement));
  };
  auto isMany = [&](link::ThreadId thread) { return program.threads.list[thread].many; };
  return std::ranges::all_of(places.list, [&](const link::Place &place) {
    const link::Object &object = program.pointsTo.objects()[place.object];
    if (object.kind == link::ObjectKind::Variable) return true;
    return object.function.valid() && std::ranges::none_of(program.threads.executing[object.function], isMany) &&
           (object.function != starter || !isInLoop(object));
  });
}

// A lock without a name that threads find behind pointers in what they were given, or in what they took from each other; not one in the object that
// is each thread's own, nor behind a pointer that its creator has filled in for each.
static bool isFoundByAll(const World &world, Address lock) {
  const NodeTable &nodes = world.names.nodes;
  NodeId root = lock.node, first = {};
  for (; nodes[root].base.valid(); root = nodes[root].base)
    if (nodes[root].kind == NodeKind::Load) first = root;
  if (nodes[root].kind == NodeKind::Some) return nodes[root].owner != 0;
  if (!first.valid() || !isMadeByOne(world, world.names.info[lock.node.value()].points, {})) return false;
  if (nodes[root].kind != NodeKind::Formal || nodes[root].owner == 0) return true;
  const link::Thread &thread = world.environment.program.threads.list[link::ThreadId(nodes[root].owner - 1)];
  const link::FuncId starter =
      thread.createdAt.valid() ? world.environment.program.calls.sites[thread.createdAt].caller : link::FuncId();
  return !thread.ownPointers && isMadeByOne(world, world.names.info[first.value()].points, starter);
}

bool areKin(const World &world, const HeldLocks &locksA, const HeldLocks &locksB, bool isNamed) {
  for (const HeldLock &a : locksA)
    for (const HeldLock &b : locksB)
      if ((a.mode == LockMode::Exclusive || b.mode == LockMode::Exclusive) && a.mode != LockMode::After &&
          b.mode != LockMode::After && isKin(world, a, b) &&
          (!isNamed || (a.lock == b.lock && isFoundByAll(world, a.lock))))
        return true;
  return false;
}

// Of all that are held alone; empty: one of them has none.
static std::vector<Relation> relationsOf(const NodeTable &nodes, Address lvalue, const HeldLocks &locks) {
  std::vector<Relation> all;
  for (const HeldLock &held : locks) {
    if (held.mode != LockMode::Exclusive) continue;
    std::optional<Relation> relation = relationOf(nodes, held.lock, lvalue);
    if (!relation) return {};
    all.push_back(*relation);
  }
  return all;
}

bool areOtherMembers(const NodeTable &nodes, Address lvalueA, const HeldLocks &locksA, Address lvalueB,
                     const HeldLocks &locksB) {
  const std::vector<Relation> as = relationsOf(nodes, lvalueA, locksA), bs = relationsOf(nodes, lvalueB, locksB);
  return !as.empty() && !bs.empty() &&
         std::ranges::none_of(as, [&](const Relation &a) { return std::ranges::find(bs, a) != bs.end(); });
}

// One lock of many for one variable: whoever has chosen another of them is not kept out.
static bool isElementForWhole(const NodeTable &nodes, const HeldLock &held, Address lvalue) {
  return isObject(nodes[lvalue.node].kind) &&
         nodes.any(held.lock.node, [](const Node &step) { return step.kind == NodeKind::Element; });
}

Exclusion exclusionOf(const NodeTable &nodes, Address lvalueA, const HeldLocks &locksA, Address lvalueB,
                      const HeldLocks &locksB) {
  Exclusion best = Exclusion::None;
  for (const HeldLock &a : locksA)
    for (const HeldLock &b : locksB) {
      // Who has seen a once-guard set comes after whoever held it to initialise: After counts like Shared.
      if ((a.mode != LockMode::Exclusive && b.mode != LockMode::Exclusive) || a.turn || b.turn) continue;
      if (isKin(nodes, a) || isKin(nodes, b)) continue;
      const bool areForWhole = isElementForWhole(nodes, a, lvalueA) && isElementForWhole(nodes, b, lvalueB);
      if (areForWhole && !a.all && !b.all) continue;
      if (a.weak || b.weak || areForWhole) {
        if (areAlike(nodes, a.lock, b.lock)) best = std::max(best, Exclusion::Family);
      } else if (isSame(nodes, a, lvalueA, b, lvalueB))
        return Exclusion::Lock;
    }
  return best;
}

} // namespace deadheat::analyse
