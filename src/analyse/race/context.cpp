#include "analyse/race/context.h"

#include <algorithm>
#include <iterator>

#include "analyse/race/import.h"

namespace deadheat::analyse {

using link::FuncId;

static uint32_t classOf(const link::PointsTo &pointsTo, link::Location location) {
  return location.valid() ? pointsTo.classOf(location.node).value() : UINT32_MAX;
}

HeldLocks withoutReleased(const World &world, const HeldLocks &held, FuncId function,
                          const std::vector<Address> &released) {
  if (held.empty() || released.empty()) return held;
  const link::PointsTo &pointsTo = world.environment.program.pointsTo;
  const std::vector<NodeInfo> &local = world.environment.summary(function).names.info;
  HeldLocks kept;
  std::ranges::copy_if(held, std::back_inserter(kept), [&](const HeldLock &lock) {
    uint32_t its = classOf(pointsTo, world.names.info[lock.lock.node.value()].points);
    return std::ranges::none_of(released, [&](Address gone) {
      uint32_t other = classOf(pointsTo, local[gone.node.value()].points);
      return its == other || its == UINT32_MAX || other == UINT32_MAX;
    });
  });
  return kept;
}

static HeldLocks meet(const HeldLocks &a, const HeldLocks &b) {
  HeldLocks both;
  for (const HeldLock &lock : a) {
    auto same = std::ranges::lower_bound(b, lock.lock, {}, &HeldLock::lock);
    if (same != b.end() && same->lock == lock.lock) {
      both.push_back(lock);
      both.back().mode = std::max(lock.mode, same->mode);
      both.back().weak |= same->weak;
    }
  }
  return both;
}

// Only locks that are the same for everybody: a name that is some object's means nothing to a callee.
static bool isAbsolute(const NodeTable &nodes, const HeldLock &held) {
  return !held.weak && isObject(nodes[nodes.root(held.lock.node)].kind);
}

static HeldLocks heldAt(World &world, Import &import, FuncId function, const HeldLocks &onEntry, const Lockset &locks) {
  HeldLocks all = withoutReleased(world, onEntry, function, locks.released());
  for (const HeldLock &local : locks.held())
    if (std::optional<HeldLock> held = import.lock(local); held && isAbsolute(world.names.nodes, *held)) {
      held->count = 1;
      held->onEntry = false;
      auto place = std::ranges::lower_bound(all, held->lock, {}, &HeldLock::lock);
      if (place == all.end() || place->lock != held->lock)
        all.insert(place, *held);
      else
        place->mode = std::min(place->mode, held->mode);
    }
  return all;
}

Contexts contextsOf(World &world, link::ThreadId thread) {
  const link::Program &program = world.environment.program;
  Contexts contexts;
  std::vector<FuncId> work;
  for (FuncId entry : program.threads.list[thread].entries)
    if (contexts.try_emplace(entry.value()).second) work.push_back(entry);
  while (!work.empty()) {
    FuncId function = work.back();
    work.pop_back();
    if (!world.environment.summary(function).ready) continue;
    Import import(world, function, {});
    HeldLocks onEntry = contexts[function.value()];
    for (const CallRecord &call : world.environment.summary(function).calls) {
      HeldLocks held = heldAt(world, import, function, onEntry, call.locks);
      for (FuncId callee : program.calls.callees[call.site]) {
        if (program.function(callee).external() || world.environment.row(callee)) continue;
        auto [place, isNew] = contexts.try_emplace(callee.value(), held);
        HeldLocks both = isNew ? held : meet(place->second, held);
        if (isNew || both != place->second) {
          place->second = std::move(both);
          work.push_back(callee);
        }
      }
    }
  }
  return contexts;
}

} // namespace deadheat::analyse
