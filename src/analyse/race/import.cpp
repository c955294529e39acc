#include "analyse/race/import.h"

#include <utility>

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

Address Import::base(NodeId local) {
  if (!memo_[local.value()].node.valid()) {
    Address made = make(local);
    memo_[local.value()] = made;
  }
  return memo_[local.value()];
}

// Some object that points-to knows; it counts from the object's beginning.
Address Import::some(link::Location points, bool folded, std::string_view text) {
  int64_t offset = 0;
  if (points.valid() && points.offset != link::kAnyOffset) offset = std::exchange(points.offset, 0);
  uint32_t hub = points.valid() ? points.node.value() : kAnyKey;
  return {add(world_.names.nodes.some(hub, folded), points, text), offset};
}

link::Location Import::variableOf(const Captured &captured) const {
  const link::Program &program = world_.environment.program;
  const model::Statement &made =
      link::Code{program.units, program.symbols}.unitOf(captured.function).statements[captured.variable];
  return program.pointsTo.of(captured.function, model::Operand::value(made.result));
}

// Where the creator has filled it in, in the creator's names: `load` lies in the thread's argument, or behind pointers that do.
std::optional<Address> Import::filledIn(const Summary &creator, model::StatementId start, const Node &load) const {
  const Node &from = summary_.names.nodes[load.base];
  Address at{{}, load.offset};
  if (from.kind == NodeKind::Load) {
    std::optional<Address> behind = filledIn(creator, start, from);
    if (!behind) return std::nullopt;
    at = {behind->node, behind->offset + load.offset};
  } else if (from.kind != NodeKind::Formal || from.index != 0) {
    return std::nullopt;
  }
  return contentAt(creator, start, [&](Address location) { return location == at; });
}

std::optional<Address> Import::contentAt(const Summary &creator, model::StatementId start,
                                         llvm::function_ref<bool(Address)> isThere) {
  const Handed *found = nullptr;
  for (const Handed &each : creator.handed) {
    if (each.start != start || !isThere(each.location)) continue;
    if (found && found->content != each.content) return std::nullopt; // another one on another way
    found = &each;
  }
  return found ? std::optional(found->content) : std::nullopt;
}

// What a pointer leads to that lies in the thread's argument, or in a variable behind it, as its creator has filled it in.
std::optional<Address> Import::handed(const Node &load) {
  if (!thread_.valid()) return std::nullopt;
  const link::Program &program = world_.environment.program;
  const link::Thread &thread = program.threads.list[thread_];
  if (!thread.createdAt.valid()) return std::nullopt;
  const link::CallSite &created = program.calls.sites[thread.createdAt];
  if (!created.caller.valid()) return std::nullopt;
  const Summary &summary = world_.environment.summary(created.caller);
  const Node &from = summary_.names.nodes[load.base];
  const bool isArgument = from.kind == NodeKind::Formal && from.index == 0;
  if (summary.handed.empty() || (from.kind == NodeKind::Formal && !isArgument)) return std::nullopt;
  Import creators(world_, created.caller);
  std::optional<Address> found = filledIn(summary, created.statement, load);
  if (!found && !isArgument) {
    const Address at = address({load.base, load.offset});
    found = contentAt(summary, created.statement,
                      [&](Address location) { return location.node.valid() && creators.address(location) == at; });
  }
  if (!found) return std::nullopt;
  // Each of many has another one that was made for it.
  const NodeTable &nodes = summary.names.nodes;
  if (thread.many && nodes[nodes.root(found->node)].kind == NodeKind::Heap) return std::nullopt;
  const Address content = creators.address(*found);
  if (link::isElementOf(thread, program.pointsTo, creators.locationOf(content))) return std::nullopt;
  return content;
}

Address Import::make(NodeId local) {
  const Node &row = summary_.names.nodes[local];
  const NodeInfo &info = summary_.names.info[local.value()];
  const link::PointsTo &pointsTo = world_.environment.program.pointsTo;
  NodeTable &nodes = world_.names.nodes;
  switch (row.kind) {
  case NodeKind::Formal: {
    if (!thread_.valid()) return some(info.points, false, info.text); // each function has its own first formal
    link::Location given = world_.environment.program.threads.list[thread_].argument;
    return {add(nodes.formal(row.index, thread_.value() + 1), given.valid() && row.index == 0 ? given : info.points,
                info.text)};
  }
  case NodeKind::Global: return {add(nodes.global(row.index), info.points, info.text)};
  case NodeKind::Heap:
    return {add(nodes.heap(row.owner, row.index, static_cast<uint32_t>(row.offset)), info.points, info.text)};
  case NodeKind::Stack: return {add(nodes.stack(row.owner, row.index), info.points, info.text)};
  case NodeKind::Load: {
    if (std::optional<Address> variable = handed(row)) return *variable;
    if (std::optional<Captured> captured = world_.environment.captures.of(info.field))
      return {add(nodes.stack(captured->function.value(), captured->variable.value()), variableOf(*captured), {}),
              captured->offset};
    Address from = address({row.base, row.offset});
    link::Location content = pointsTo.content(locationOf(from));
    if (!content.valid()) content = info.points;
    std::optional<NodeId> made = nodes.load(from);
    if (!made) return some(content, true, info.text);
    add(*made, content, info.text);
    world_.names.info[made->value()].field = info.field;
    return {*made};
  }
  case NodeKind::Element: {
    uint32_t key = row.index == kOwnKey || Choice{row.owner}.isTaken() ? kOwnKey : kAnyKey;
    std::optional<NodeId> made = nodes.element(address({row.base, row.offset}), row.stride, key);
    return made ? Address{add(*made, info.points, info.text)} : some(info.points, true, info.text);
  }
  case NodeKind::Opaque: return some(info.points, row.folded, info.text);
  case NodeKind::Some: {
    NodeId object = row.owner != 0 ? nodes.kin(row.index) : nodes.some(row.index, row.folded);
    return {add(object, info.points, info.text)};
  }
  }
  return {};
}

Address Import::madeOnce(link::Location location, link::Place place) {
  const link::Object &object = world_.environment.program.pointsTo.objects()[place.object];
  const NodeId made = world_.names.nodes.heap(object.function.value(), object.statement.value());
  return {add(made, location.moved(-place.offset), {}), place.offset};
}

// The one variable, stack object or object that is made once, that points-to knows it to be.
Address Import::resolved(Address inWorld) {
  NodeTable &nodes = world_.names.nodes;
  const NodeKind kind = nodes[inWorld.node].kind;
  if (kind == NodeKind::Global || kind == NodeKind::Stack || kind == NodeKind::Element) return inWorld;
  link::Location location = locationOf(inWorld);
  if (!location.valid() || location.offset == link::kAnyOffset) return inWorld;
  const link::PointsTo &pointsTo = world_.environment.program.pointsTo;
  std::optional<link::Place> place = pointsTo.single(location);
  if (!place || place->offset == link::kAnyOffset) return inWorld;
  // Where the name was given up, the locks' names were, too.
  if (world_.environment.program.madeOnce[place->object.value()] && !nodes[inWorld.node].folded)
    return madeOnce(location, *place);
  if (kind == NodeKind::Heap || isDistinctPerThread(world_, inWorld.node)) return inWorld;
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
  if (object.kind == link::ObjectKind::Stack && isOneAtATime(world_, object.function) &&
      pointsTo.classSize(pointsTo.classOf(location.node)) <= kLargeClass)
    return {add(nodes.stack(object.function.value(), object.statement.value()),
                {location.node, location.offset - place->offset}, {}),
            place->offset};
  return inWorld;
}

Address Import::address(Address local) { return resolved(path(local)); }

Address Import::path(Address local) {
  Address whole = base(local.node);
  return {whole.node, whole.offset + local.offset};
}

HeldLock Import::lock(const HeldLock &local) {
  HeldLock held = local;
  held.lock = address(local.lock);
  return held;
}

} // namespace deadheat::analyse
