#include "analyse/filter/handed_on.h"

#include <algorithm>

#include "analyse/race/shown.h"
#include "link/definitions.h"

namespace deadheat::analyse {

// The object that is made there, if it is among the few that points-to sees at the location.
static std::optional<link::ObjectId> amongFew(const link::PointsTo &pointsTo, const Node &made,
                                              link::Location location) {
  if (!location.valid()) return {};
  const link::Places places = pointsTo.places(location, kFewMakers);
  auto isMadeThere = [&](const link::Place &place) {
    const link::Object &object = pointsTo.objects()[place.object];
    return object.function.value() == made.owner && object.statement.value() == made.index;
  };
  auto found = std::ranges::find_if(places.list, isMadeThere);
  return places.complete && found != places.list.end() ? std::optional(found->object) : std::nullopt;
}

// `compare_exchange(&head, &node->next, node)`: what was found goes back into the object, and only if it was not handed on.
static bool isWrittenBack(const link::Program &program, const Step &step) {
  const link::Code code{program.units, program.symbols};
  const model::Statement &statement = code.unitOf(step.function).statements[step.statement];
  if (statement.kind != model::StatementKind::Store || !statement.b.isValue()) return false;
  const link::Definitions definitions(code, step.function);
  const model::Operand value = definitions.strip(statement.b);
  const model::Statement *found = value.isValue() ? definitions.of(value.value()) : nullptr;
  return found && found->kind == model::StatementKind::AtomicUpdate;
}

// The user's own line in the function that has made it, or in one that this calls: not if that gives up a reference, and goes on only if it was
// the last.
static bool isInOwnWords(const World &world, const Leaf &leaf) {
  const link::Program &program = world.environment.program;
  const Step &last = leaf.steps.back();
  if (leaf.steps.size() > 2 || (leaf.steps.size() == 2 && world.environment.atomicSteps.areUpdatedIn(last.function)))
    return false;
  return !shownAt(program, leaf).isWithinLibrary && !isWrittenBack(program, last);
}

// One is an element that a number chooses, and the other is not: mostly numbers begin behind what whoever made it keeps.
static bool isOtherPart(const World &world, const WorldAccess &makers, const WorldAccess &other) {
  auto isElement = [&](Address address) { return world.names.nodes[address.node].kind == NodeKind::Element; };
  return !isElement(makers.path) && isElement(other.path);
}

bool isDoubted(const World &world, const WorldAccess &makers, const Leaf &leaf, const WorldAccess &other) {
  const NodeTable &nodes = world.names.nodes;
  const Node &root = nodes[nodes.root(makers.lvalue.node)];
  if (root.kind != NodeKind::Heap || root.owner != makers.function.value()) return false;
  const link::Program &program = world.environment.program;
  if (const std::optional<link::ObjectId> object = amongFew(program.pointsTo, root, other.where))
    if (program.madeByOneCall[object->value()] || (!isOtherPart(world, makers, other) && isInOwnWords(world, leaf)))
      return false;
  const Node &others = nodes[nodes.root(other.lvalue.node)];
  const bool isGiven = others.kind == NodeKind::Formal && others.owner != 0 && others.index == 0;
  return !isGiven || !program.pointsTo.single(other.where);
}

} // namespace deadheat::analyse
