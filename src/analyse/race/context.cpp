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

// Only locks that are the same for everybody: a name that is some object's means nothing to a callee. An element of an
// array is one of a family.
static bool isMeantByAll(const NodeTable &nodes, HeldLock &held) {
  held.weak |= nodes.any(held.lock.node, [](const Node &step) { return step.kind == NodeKind::Element; });
  return isObject(nodes[nodes.root(held.lock.node)].kind);
}

static HeldLocks heldAt(World &world, Import &import, FuncId function, const HeldLocks &onEntry, const Lockset &locks) {
  HeldLocks all = withoutReleased(world, onEntry, function, locks.released());
  for (const HeldLock &local : locks.held())
    if (HeldLock held = import.lock(local); isMeantByAll(world.names.nodes, held)) {
      held.count = 1;
      held.onEntry = false;
      auto place = std::ranges::lower_bound(all, held.lock, {}, &HeldLock::lock);
      if (place == all.end() || place->lock != held.lock)
        all.insert(place, held);
      else
        place->mode = std::min(place->mode, held.mode);
    }
  return all;
}

static uint32_t internLive(World &world, std::vector<link::ThreadId> live) {
  auto [place, isNew] = world.liveIds.try_emplace(std::move(live), static_cast<uint32_t>(world.liveSets.size()));
  if (isNew) world.liveSets.push_back(place->first);
  return place->second;
}

uint32_t liveAt(World &world, FuncId function, model::StatementId statement, uint32_t live) {
  const link::Threads &threads = world.environment.program.threads;
  auto changes = threads.changes[function];
  auto after = std::ranges::upper_bound(changes, statement, {}, &link::Threads::Change::statement);
  if (after == changes.begin()) return live;
  const link::Threads::Change &change = *std::prev(after);
  std::vector<link::ThreadId> left, all;
  std::ranges::set_difference(world.liveSets[live], threads.sets[change.joined], std::back_inserter(left));
  std::ranges::set_union(left, threads.sets[change.started], std::back_inserter(all));
  return internLive(world, std::move(all));
}

namespace {

class Descent {
public:
  Descent(World &world, const std::vector<link::ThreadId> &crew) : world_(world), crew_(crew) {}

  Contexts run() {
    const link::Threads &threads = world_.environment.program.threads;
    for (link::ThreadId thread : crew_)
      for (FuncId entry : threads.list[thread].entries)
        enter(entry, internLive(world_, threads.sets[threads.liveAtEntry[entry.value()]]), {});
    while (!work_.empty()) {
      auto [function, index] = work_.back();
      work_.pop_back();
      if (world_.environment.summary(function).ready) down(function, contexts_[function.value()][index]);
    }
    return std::move(contexts_);
  }

private:
  void down(FuncId function, Context from) {
    const link::Program &program = world_.environment.program;
    Import import(world_, function, {});
    for (const CallRecord &call : world_.environment.summary(function).calls) {
      HeldLocks held = heldAt(world_, import, function, from.held, call.locks);
      uint32_t live = liveAt(world_, function, call.statement, from.live);
      for (FuncId callee : program.calls.callees[call.site])
        if (!program.function(callee).external() && !world_.environment.row(callee)) enter(callee, live, held);
    }
  }

  void enter(FuncId function, uint32_t live, HeldLocks held) {
    std::vector<Context> &known = contexts_[function.value()];
    size_t index = 0;
    while (index < known.size() && known[index].live != live) ++index;
    if (index == known.size() && index < kMaxPhases) {
      known.push_back({live, std::move(held)});
      work_.push_back({function, index});
      return;
    }
    if (index == known.size()) { // the last stands for all that find no room
      std::vector<link::ThreadId> all;
      std::ranges::set_union(world_.liveSets[known.back().live], world_.liveSets[live], std::back_inserter(all));
      uint32_t merged = internLive(world_, std::move(all));
      index = known.size() - 1;
      if (merged != known[index].live) work_.push_back({function, index});
      known[index].live = merged;
    }
    HeldLocks both = meet(known[index].held, held);
    if (both == known[index].held) return;
    known[index].held = std::move(both);
    work_.push_back({function, index});
  }

  World &world_;
  const std::vector<link::ThreadId> &crew_;
  Contexts contexts_;
  std::vector<std::pair<FuncId, size_t>> work_;
};

} // namespace

Contexts contextsOf(World &world, const std::vector<link::ThreadId> &crew) { return Descent(world, crew).run(); }

} // namespace deadheat::analyse
