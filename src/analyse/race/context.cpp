#include "analyse/race/context.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <queue>
#include <tuple>

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
      both.back().turn |= same->turn;
      both.back().all &= same->all;
    }
  }
  return both;
}

// A lock by a name that means the same to everybody. An element of an array is one of a family; a name that is some object's
// means nothing to a callee but which member of what objects it is.
static bool nameForAll(World &world, const Import &import, HeldLock &held) {
  NodeTable &nodes = world.names.nodes;
  held.weak |= nodes.any(held.lock.node, [](const Node &step) { return step.kind == NodeKind::Element; });
  if (isObject(nodes[nodes.root(held.lock.node)].kind)) return true;
  link::Location where = import.locationOf(held.lock);
  if (!where.valid() || where.offset == link::kAnyOffset) return false;
  NodeId kin = nodes.kin(world.environment.program.pointsTo.classOf(where.node).value());
  if (kin.value() >= world.names.info.size()) world.names.info.resize(kin.value() + 1);
  world.names.info[kin.value()].points = {where.node, 0};
  held.lock = {kin, where.offset};
  held.weak = true;
  return true;
}

static std::string_view textOf(const Summary &summary, Address lock) {
  auto row = std::ranges::find(summary.lockTexts, lock, &LockText::lock);
  return row == summary.lockTexts.end() ? std::string_view() : row->text;
}

CallLocks::CallLocks(World &world) : world_(world) {
  const link::Program &program = world.environment.program;
  for (uint32_t f = 0; f < program.symbols.functions.size(); ++f)
    isFollowed_.push_back(!program.function(FuncId(f)).external() && !world.environment.row(FuncId(f)));
}

const std::vector<HeldLocks> &CallLocks::of(FuncId function) {
  auto [place, isNew] = known_.try_emplace(function.value());
  if (!isNew) return place->second;
  const std::vector<CallRecord> &calls = world_.environment.summary(function).calls;
  std::vector<HeldLocks> all(calls.size());
  std::optional<Import> import;
  for (size_t i = 0; i < calls.size(); ++i)
    for (const HeldLock &local : calls[i].locks.held()) {
      if (!import) import.emplace(world_, function);
      HeldLock held = import->lock(local);
      if (!nameForAll(world_, *import, held)) continue;
      held.count = 1;
      held.onEntry = false;
      all[i].push_back(held);
      if (std::string_view text = textOf(world_.environment.summary(function), local.lock); !text.empty())
        world_.lockTexts.try_emplace(held.lock, text);
    }
  return known_[function.value()] = std::move(all);
}

void hold(HeldLocks &all, const HeldLocks &more) {
  for (const HeldLock &held : more) {
    auto place = std::ranges::lower_bound(all, held.lock, {}, &HeldLock::lock);
    if (place == all.end() || place->lock != held.lock)
      all.insert(place, held);
    else {
      place->mode = std::min(place->mode, held.mode);
      place->weak = place->weak && held.weak;
      place->turn = place->turn && held.turn;
      place->all |= held.all;
    }
  }
}

static HeldLocks heldAt(const World &world, FuncId function, const HeldLocks &onEntry, const HeldLocks &taken,
                        const Lockset &locks) {
  HeldLocks all = withoutReleased(world, onEntry, function, locks.released());
  hold(all, taken);
  return all;
}

static uint32_t internLive(World &world, std::vector<link::ThreadId> live) {
  auto [place, isNew] = world.liveIds.try_emplace(std::move(live), static_cast<uint32_t>(world.liveSets.size()));
  if (isNew) world.liveSets.push_back(place->first);
  return place->second;
}

// The first of each crew of which one is there.
static std::vector<link::ThreadId> crewsAmong(const World &world, const std::vector<link::ThreadId> &threads) {
  std::vector<link::ThreadId> firsts;
  for (link::ThreadId thread : threads)
    if (link::ThreadId first = world.crewOf[thread.value()]; first.valid()) firsts.push_back(first);
  std::ranges::sort(firsts);
  firsts.erase(std::ranges::unique(firsts).begin(), firsts.end());
  return firsts;
}

// Of a crew, somebody is left when one of them is joined.
static uint32_t liveAfter(World &world, uint32_t live, const link::Threads::Change &change) {
  const link::Threads &threads = world.environment.program.threads;
  auto [known, isNew] = world.liveSteps.try_emplace({live, change.joined, change.started}, 0);
  if (!isNew) return known->second;
  std::vector<link::ThreadId> gone, left, all;
  std::ranges::copy_if(threads.sets[change.joined], std::back_inserter(gone), [&](link::ThreadId thread) {
    link::ThreadId first = world.crewOf[thread.value()];
    return first.valid() && world.crews.at(first).size() == 1;
  });
  std::ranges::set_difference(world.liveSets[live], gone, std::back_inserter(left));
  std::ranges::set_union(left, crewsAmong(world, threads.sets[change.started]), std::back_inserter(all));
  return known->second = internLive(world, std::move(all));
}

uint32_t liveAt(World &world, FuncId function, model::StatementId statement, uint32_t live) {
  auto changes = world.environment.program.threads.changes[function];
  auto after = std::ranges::upper_bound(changes, statement, {}, &link::Threads::Change::statement);
  return after == changes.begin() ? live : liveAfter(world, live, *std::prev(after));
}

namespace {

class Descent {
public:
  Descent(World &world, CallLocks &locks, const std::vector<link::ThreadId> &crew)
      : world_(world), locks_(locks), crew_(crew) {}

  Contexts run() {
    const link::Threads &threads = world_.environment.program.threads;
    for (link::ThreadId thread : crew_)
      for (FuncId entry : threads.list[thread].entries)
        enter(entry, internLive(world_, crewsAmong(world_, threads.sets[threads.liveAtEntry[entry.value()]])), {});
    while (!work_.empty()) {
      auto [component, function, index] = work_.top();
      work_.pop();
      Context &context = contexts_[function.value()][index];
      context.isWaiting = false;
      if (world_.environment.summary(function).ready) down(function, context);
    }
    return std::move(contexts_);
  }

private:
  void down(FuncId function, Context from) {
    const link::Program &program = world_.environment.program;
    const std::vector<CallRecord> &calls = world_.environment.summary(function).calls;
    for (size_t i = 0; i < calls.size(); ++i) {
      HeldLocks held = heldAt(world_, function, from.held, locks_.of(function)[i], calls[i].locks);
      uint32_t live = liveAt(world_, function, calls[i].statement, from.live);
      for (FuncId callee : calleesOf(program.calls, calls[i]))
        if (locks_.isFollowed(callee) && isExecuted(callee)) enter(callee, live, held);
    }
  }

  // By one of them: what others give to be called, they do not call.
  bool isExecuted(FuncId function) {
    const auto &executing = world_.environment.program.threads.executing;
    auto [known, isNew] = isInSet_.try_emplace(executing.setOf[function.value()]);
    if (isNew)
      known->second = std::ranges::any_of(
          crew_, [&](link::ThreadId id) { return std::ranges::binary_search(executing[function], id); });
    return known->second;
  }

  void follow(FuncId function, size_t index, Context &context) {
    if (context.isWaiting) return;
    context.isWaiting = true;
    work_.push({world_.environment.order.componentOf[function.value()], function, index});
  }

  void enter(FuncId function, uint32_t live, const HeldLocks &held) {
    std::vector<Context> &known = contexts_[function.value()];
    size_t index = 0;
    while (index < known.size() && known[index].live != live) ++index;
    if (index == known.size() && index < kMaxPhases) {
      known.push_back({live, held});
      return follow(function, index, known.back());
    }
    if (index == known.size()) { // the last stands for all that find no room
      uint32_t merged = merge(known.back().live, live);
      index = known.size() - 1;
      if (merged != known[index].live) follow(function, index, known[index]);
      known[index].live = merged;
    }
    HeldLocks both = meet(known[index].held, held);
    if (both == known[index].held) return;
    known[index].held = std::move(both);
    follow(function, index, known[index]);
  }

  uint32_t merge(uint32_t a, uint32_t b) {
    std::vector<link::ThreadId> all;
    std::ranges::set_union(world_.liveSets[a], world_.liveSets[b], std::back_inserter(all));
    return internLive(world_, std::move(all));
  }

  World &world_;
  CallLocks &locks_;
  const std::vector<link::ThreadId> &crew_;
  Contexts contexts_;
  llvm::DenseMap<uint32_t, bool> isInSet_;                         // by set of threads: one of the crew is in it
  std::priority_queue<std::tuple<uint32_t, FuncId, size_t>> work_; // component, function, context; callers first
};

} // namespace

Contexts contextsOf(World &world, CallLocks &locks, const std::vector<link::ThreadId> &crew) {
  return Descent(world, locks, crew).run();
}

} // namespace deadheat::analyse
