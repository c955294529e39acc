#include "analyse/filter/making.h"

#include <algorithm>

#include "analyse/domain/fields.h"

namespace deadheat::analyse {

// The bytes of the first formal's object, which is `this`.
static bool isOfItself(const World &world, const Step &step) {
  const Summary &summary = world.environment.summary(step.function);
  if (step.entry >= summary.entries.size()) return false;
  NodeId node = summary.entries[step.entry].lvalue.node;
  while (summary.names.nodes[node].kind == NodeKind::Element) node = summary.names.nodes[node].base;
  const Node &object = summary.names.nodes[node];
  return object.kind == NodeKind::Formal && object.index == 0;
}

static bool startsOrJoins(const World &world, link::FuncId function, link::ThreadId thread) {
  const link::Threads &threads = world.environment.program.threads;
  return std::ranges::any_of(threads.changes[function], [&](const link::Threads::Change &row) {
    return std::ranges::binary_search(threads.sets[row.started], thread) ||
           std::ranges::binary_search(threads.sets[row.joined], thread);
  });
}

bool isMaking(const World &world, const Leaf &leaf, link::ThreadId other) {
  bool isFound = false;
  for (const Step &step : leaf.steps) {
    if (!isMakerOrBreaker(world.environment.program.function(step.function).display)) continue;
    if (startsOrJoins(world, step.function, other)) return false;
    isFound |= isOfItself(world, step);
  }
  return isFound;
}

} // namespace deadheat::analyse
