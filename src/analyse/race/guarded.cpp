#include "analyse/race/guarded.h"

#include <algorithm>
#include <map>

#include "oneapi/tbb/parallel_for.h"

#include "analyse/race/chains.h"
#include "analyse/race/pairs.h"

namespace deadheat::analyse {
namespace {

using SiteSet = std::set<std::pair<link::UnitId, model::SiteId>>;
using Members = std::vector<uint32_t>; // of World::accesses

std::vector<Members> classesOf(const World &world) {
  std::map<uint32_t, Members> byClass;
  for (uint32_t i = 0; i < world.accesses.size(); ++i) {
    const link::Location where = world.accesses[i].where;
    if (!world.twins[i].empty() && where.valid())
      byClass[world.environment.program.pointsTo.classOf(where.node).value()].push_back(i);
  }
  std::vector<Members> classes;
  for (auto &[key, members] : byClass)
    if (members.size() <= kMaxMembers) classes.push_back(std::move(members));
  return classes;
}

bool isAlwaysLocked(const World &world, const WorldAccess &access) {
  return !access.performers.empty() && std::ranges::none_of(access.performers, [&](const Performer &performer) {
    return world.locksets[performer.locks].empty();
  });
}

bool isGuardedAmong(const World &world, const Standings &standings, uint32_t access, const Members &members) {
  if (!isAlwaysLocked(world, world.accesses[access])) return false;
  bool isMet = false;
  for (uint32_t other : members) {
    const Standing standing = standings.of(world.accesses[access], world.accesses[other]);
    if (standing == Standing::Open) return false;
    isMet |= standing == Standing::Locked;
  }
  return isMet;
}

// [access]
std::vector<uint8_t> guardedAccesses(const World &world) {
  const std::vector<Members> classes = classesOf(world);
  std::vector<uint8_t> isGuarded(world.accesses.size());
  oneapi::tbb::parallel_for(size_t(0), classes.size(), [&](size_t i) {
    const Standings standings(world);
    for (uint32_t access : classes[i])
      if (isGuardedAmong(world, standings, access, classes[i]))
        for (uint32_t twin : world.twins[access]) isGuarded[twin] = 1;
  });
  return isGuarded;
}

bool isWhole(const World &world) {
  return std::ranges::none_of(world.environment.summaries, [](const Summary &summary) { return summary.folded != 0; });
}

} // namespace

// Several accesses of the world may be one statement: under other names, for other callers.
SiteSet guardedSites(const World &world) {
  if (!isWhole(world)) return {};
  const std::vector<uint8_t> isGuarded = guardedAccesses(world);
  SiteSet guarded, others;
  for (uint32_t i = 0; i < world.accesses.size(); ++i)
    for (const Leaf &leaf : leavesOf(world, world.accesses[i], SIZE_MAX))
      (isGuarded[i] ? guarded : others).insert({leaf.unit, leaf.site});
  std::erase_if(guarded, [&](const auto &site) { return others.contains(site); });
  return guarded;
}

} // namespace deadheat::analyse
