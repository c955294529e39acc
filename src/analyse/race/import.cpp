#include "analyse/race/import.h"

#include "analyse/race/pairs.h"

namespace deadheat::analyse {

Import::Import(World &world, link::FuncId function, link::ThreadId thread)
    : world_(world), summary_(world.environment.summary(function)), thread_(thread),
      memo_(summary_.names.nodes.size()) {}

link::Location Import::locationOf(Address inWorld) const {
  link::Location location = world_.names.info[inWorld.node.value()].points;
  if (location.valid() && location.offset != link::kAnyOffset) location.offset += static_cast<int32_t>(inWorld.offset);
  return location;
}

NodeId Import::add(NodeId made, link::Location points, std::string_view text) {
  if (made.value() >= world_.names.info.size()) world_.names.info.resize(made.value() + 1);
  NodeInfo &info = world_.names.info[made.value()];
  if (!info.points.valid()) info.points = points;
  if (info.text.empty()) info.text = text;
  return made;
}

NodeId Import::node(NodeId local) {
  if (!memo_[local.value()].valid()) {
    NodeId made = make(local);
    memo_[local.value()] = made;
  }
  return memo_[local.value()];
}

NodeId Import::make(NodeId local) {
  const Node &row = summary_.names.nodes[local];
  const NodeInfo &info = summary_.names.info[local.value()];
  const link::PointsTo &pointsTo = world_.environment.program.pointsTo;
  NodeTable &nodes = world_.names.nodes;
  switch (row.kind) {
  case NodeKind::Formal: {
    uint32_t owner = thread_.valid() ? thread_.value() + 1 : 0;
    link::Location given = thread_.valid() ? world_.environment.program.threads.list[thread_].argument : info.points;
    return add(nodes.formal(row.index, owner), given.valid() && row.index == 0 ? given : info.points, info.text);
  }
  case NodeKind::Global: return add(nodes.global(row.index), info.points, info.text);
  case NodeKind::Heap:
    return add(nodes.heap(row.owner, row.index, static_cast<uint32_t>(row.offset)), info.points, info.text);
  case NodeKind::Stack: return add(nodes.stack(row.owner, row.index), info.points, info.text);
  case NodeKind::Load: {
    Address from = address({row.base, row.offset});
    link::Location content = pointsTo.content(locationOf(from));
    return add(*nodes.load(from), content.valid() ? content : info.points, info.text);
  }
  case NodeKind::Element: {
    Address array = address({row.base, row.offset});
    return add(*nodes.element(array, row.stride, row.index == kOwnKey ? kOwnKey : kAnyKey), info.points, info.text);
  }
  case NodeKind::Opaque:
  case NodeKind::Some: {
    uint32_t hub = row.kind == NodeKind::Some ? row.index : info.points.valid() ? info.points.node.value() : kAnyKey;
    link::Location base = info.points;
    if (row.kind == NodeKind::Opaque && base.valid() && base.offset != link::kAnyOffset) base.offset = 0;
    return add(nodes.some(hub, row.folded), base, info.text);
  }
  }
  return {};
}

// The argument of a thread of which there are many, each with another one.
bool Import::isDistinctPerThread(NodeId inWorld) const {
  const Node &row = world_.names.nodes[inWorld];
  if (row.kind != NodeKind::Formal || row.owner == 0) return false;
  link::DistinctWhy why = world_.environment.program.threads.list[link::ThreadId(row.owner - 1)].distinct;
  return why == link::DistinctWhy::Indexed || why == link::DistinctWhy::Allocated;
}

// The one variable or stack object that points-to knows it to be.
Address Import::resolved(Address inWorld) {
  NodeTable &nodes = world_.names.nodes;
  if (isObject(nodes[inWorld.node].kind) || nodes[inWorld.node].kind == NodeKind::Element) return inWorld;
  link::Location location = locationOf(inWorld);
  if (!location.valid() || location.offset == link::kAnyOffset || isDistinctPerThread(inWorld.node)) return inWorld;
  const link::PointsTo &pointsTo = world_.environment.program.pointsTo;
  std::optional<link::Place> place = pointsTo.single(location);
  if (!place) return inWorld;
  const link::Object &object = pointsTo.objects()[place->object];
  // Points-to does not tell the elements of an array apart.
  if (object.kind == link::ObjectKind::Variable &&
      world_.environment.program.variable(object.variable).type.contains('['))
    return inWorld;
  if (object.kind == link::ObjectKind::Variable)
    return {add(nodes.global(object.variable.value()), pointsTo.variable(object.variable),
                world_.environment.program.variable(object.variable).display),
            place->offset};
  // Who is one of many that points-to takes for one another may also be one that it has lost.
  if (object.kind == link::ObjectKind::Stack && pointsTo.classSize(pointsTo.classOf(location.node)) <= kLargeClass)
    return {add(nodes.stack(object.function.value(), object.statement.value()),
                {location.node, location.offset - place->offset}, {}),
            place->offset};
  return inWorld;
}

Address Import::address(Address local) {
  const Node &row = summary_.names.nodes[local.node];
  int64_t offset = local.offset;
  const link::Location &points = summary_.names.info[local.node.value()].points;
  if (row.kind == NodeKind::Opaque && points.valid() && points.offset != link::kAnyOffset)
    offset += points.offset; // Some counts from the beginning of what it stands for
  return resolved({node(local.node), offset});
}

HeldLock Import::lock(const HeldLock &local) {
  HeldLock held = local;
  held.lock = address(local.lock);
  return held;
}

} // namespace deadheat::analyse
