#include "analyse/race/candidate.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "analyse/race/context.h"

namespace deadheat::analyse {

static constexpr size_t kMaxLeaves = 24;

using SiteKey = std::pair<link::UnitId, model::SiteId>;

// `other` is live while `performer` is at the step, unless it is one that the performer has not started yet, or joined.
static bool mayBeLive(World &world, link::ThreadId other, const Performer &performer, const Step &step) {
  if (other == performer.thread || !world.environment.program.threads.startedBy(other, performer.thread)) return true;
  uint32_t live = liveAt(world, step.function, step.statement, performer.live);
  return std::ranges::binary_search(world.liveSets[live], other);
}

static std::optional<Meeting> meetingAt(World &world, const RacePair &pair, const Leaf &a, const Leaf &b) {
  for (const Meeting &meeting : pair.meetings)
    if (mayBeLive(world, meeting.b.thread, meeting.a, a.steps[0]) &&
        mayBeLive(world, meeting.a.thread, meeting.b, b.steps[0]))
      return meeting;
  return std::nullopt;
}

static bool isBetter(const World &world, const Candidate &a, const Candidate &b) {
  auto cost = [&](const Candidate &candidate) {
    const WorldAccess &first = world.accesses[candidate.pair->a];
    const WorldAccess &second = world.accesses[candidate.pair->b];
    bool unshared = world.entryOf(first).traits.unshared || world.entryOf(second).traits.unshared;
    return std::tuple(candidate.meeting.exclusion, unshared, !candidate.pair->isSameName,
                      candidate.a.steps.size() + candidate.b.steps.size());
  };
  return cost(a) < cost(b);
}

std::vector<Candidate> candidatesOf(World &world, const std::vector<RacePair> &pairs) {
  std::map<std::pair<SiteKey, SiteKey>, Candidate> best;
  for (const RacePair &pair : pairs) {
    std::vector<Leaf> leavesA = leavesOf(world, world.accesses[pair.a], kMaxLeaves);
    std::vector<Leaf> leavesB = leavesOf(world, world.accesses[pair.b], kMaxLeaves);
    for (const Leaf &a : leavesA)
      for (const Leaf &b : leavesB) {
        SiteKey keyA = {a.unit, a.site};
        SiteKey keyB = {b.unit, b.site};
        if (pair.a == pair.b && keyB < keyA) continue;
        std::optional<Meeting> meeting = meetingAt(world, pair, a, b);
        if (!meeting) continue;
        Candidate candidate{&pair, a, b, *meeting};
        auto [place, isNew] = best.try_emplace(std::minmax(keyA, keyB), candidate);
        if (!isNew && isBetter(world, candidate, place->second)) place->second = std::move(candidate);
      }
  }
  std::vector<Candidate> all;
  for (auto &[key, candidate] : best) all.push_back(std::move(candidate));
  return all;
}

} // namespace deadheat::analyse
