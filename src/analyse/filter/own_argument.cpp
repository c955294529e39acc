#include "analyse/filter/own_argument.h"

#include <algorithm>

namespace deadheat::analyse {

// What the pointer leads to belongs to who has the object that it lies in.
static bool isOwning(const World &world, NodeId load) {
  const uint32_t field = world.names.info[load.value()].field;
  return world.environment.fields.isLibrarys(field) || world.environment.owning.has(field);
}

namespace {

// How a name comes from what a thread was started with.
struct Way {
  link::ThreadId thread; // invalid: it does not
  uint32_t parameter = 0;
  NodeId root;
  NodeId loaded;      // the first pointer on it; invalid: none
  unsigned users = 0; // pointers on it to what may be others'
};

} // namespace

static Way wayTo(const World &world, NodeId node) {
  const NodeTable &nodes = world.names.nodes;
  Way way;
  for (; nodes[node].base.valid(); node = nodes[node].base) {
    if (nodes[node].kind != NodeKind::Load) continue;
    way.loaded = node;
    way.users += !isOwning(world, node);
  }
  way.root = node;
  const Node &root = nodes[node];
  if (root.kind != NodeKind::Formal || root.owner == 0) return way;
  way.thread = link::ThreadId(root.owner - 1);
  way.parameter = root.index;
  return way;
}

// Reached by the argument that the thread got in this round of its creator's loop, or by a pointer in it. Who has an object of its own may
// have pointers in it to what it shares; but what was made for them, or what a member of the library's holds, as a vector its elements, belongs
// to it.
bool isFromOwnArgument(const World &world, NodeId node) {
  const Way way = wayTo(world, node);
  if (!way.thread.valid() || way.parameter != 0 || way.users > 1) return false;
  const link::Threads &threads = world.environment.program.threads;
  const link::Thread &thread = threads.list[way.thread];
  if (way.loaded.valid()) return thread.ownPointers;
  if (thread.withinCall != link::DistinctWhy::Indexed || threads.likely.sets.empty()) return false;
  link::FuncId creator = world.environment.program.calls.sites[thread.createdAt].caller;
  return !std::ranges::binary_search(threads.likely.sets[threads.likely.liveAtEntry[creator.value()]], way.thread);
}

static bool isSameLine(const link::Program &program, link::CallSiteId a, link::CallSiteId b) {
  auto callOf = [&](link::CallSiteId id) -> const model::Call & {
    const link::CallSite &site = program.calls.sites[id];
    return program.unit(site.unit).calls[site.call];
  };
  return program.calls.sites[a].caller == program.calls.sites[b].caller && callOf(a).line == callOf(b).line;
}

bool areOfOneStart(const World &world, link::ThreadId a, link::ThreadId b) {
  if (a == b) return true;
  const link::Program &program = world.environment.program;
  const link::Thread &first = program.threads.list[a], &second = program.threads.list[b];
  if (!first.createdAt.valid() || !second.createdAt.valid() || first.entries != second.entries) return false;
  return isSameLine(program, first.createdAt, second.createdAt);
}

// The pointer leads to an element that no other instance was started with.
static bool isToElement(const World &world, const link::Thread &thread, NodeId pointer) {
  return link::isElementOf(thread, world.environment.program.pointsTo, world.names.info[pointer.value()].points);
}

// Reached by the element that its thread was started with, or by what that owns.
static bool isOfOwnElement(const World &world, NodeId node) {
  const Way way = wayTo(world, node);
  if (!way.thread.valid() || way.users > 1) return false;
  const link::Thread &thread = world.environment.program.threads.list[way.thread];
  return (way.users == 0 && isToElement(world, thread, way.root)) ||
         (way.loaded.valid() && way.parameter == 0 && isToElement(world, thread, way.loaded));
}

bool areOwnElements(const World &world, const Meeting &meeting, const WorldAccess &a, const WorldAccess &b) {
  return areOfOneStart(world, meeting.a.thread, meeting.b.thread) && isOfOwnElement(world, a.path.node) &&
         isOfOwnElement(world, b.path.node);
}

} // namespace deadheat::analyse
