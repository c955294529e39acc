#include "analyse/rank/crowd.h"

#include <algorithm>
#include <cmath>
#include <ranges>
#include <tuple>

#include "oneapi/tbb/parallel_for.h"
#include "llvm/ADT/DenseSet.h"

namespace deadheat::analyse {

static constexpr float kNarrow = 2; // bits of a way

static uint64_t keyOf(const Meeting &meeting) {
  auto [first, second] = std::minmax(meeting.a.thread.value(), meeting.b.thread.value());
  return (static_cast<uint64_t>(first) << 32) | second;
}

Crowd::Crowd(const World &world, Reach &reach, const std::vector<RacePair> &pairs) {
  llvm::DenseSet<std::pair<uint64_t, std::pair<uint32_t, int64_t>>> seen;
  auto isNear = [&](const Performer &performer, const WorldAccess &access) {
    Way way = reach.to(performer.thread, access.function);
    return way.isLikely && way.bits <= kNarrow;
  };
  for (const RacePair &pair : pairs) {
    if (!pair.isSameName) continue;
    const WorldAccess &a = world.accesses[pair.a];
    const WorldAccess &b = world.accesses[pair.b];
    Address variable = a.lvalue;
    for (const Met &met : pair.meetings)
      if (const Meeting meeting = meetingOf(world, pair, met);
          !isGuarded(world, meeting.a) && !isGuarded(world, meeting.b) && isNear(meeting.a, a) &&
          isNear(meeting.b, b) && seen.insert({keyOf(meeting), {variable.node.value(), variable.offset}}).second)
        ++variables_[keyOf(meeting)];
  }
}

uint32_t Crowd::of(const Meeting &meeting) const { return variables_.lookup(keyOf(meeting)); }

double costOf(const Crowd &crowd, const Meeting &meeting) {
  return std::clamp(std::log10(static_cast<double>(crowd.of(meeting) + 1) / 8.0), 0.0, 2.5);
}

void orderMeetings(const World &world, const Crowd &crowd, Reach &reach, std::vector<RacePair> &pairs) {
  const link::Threads &threads = world.environment.program.threads;
  auto isHandler = [&](const Performer &performer) {
    return threads.list[performer.thread].kind == link::ThreadKind::Signal;
  };
  auto costTo = [&](const Performer &performer, uint32_t access) {
    return costOf(reach.to(performer.thread, world.accesses[access].function));
  };
  using Key = std::tuple<Exclusion, bool, bool, double, Performer, Performer>;
  auto keyOf = [&](const RacePair &pair, const Meeting &meeting) {
    bool isEarly = isStartingUp(world, meeting.a) || isStartingUp(world, meeting.b);
    double cost = costTo(meeting.a, pair.a) + costTo(meeting.b, pair.b) + costOf(crowd, meeting);
    return Key(meeting.exclusion, isEarly, isHandler(meeting.a) || isHandler(meeting.b), cost, meeting.a, meeting.b);
  };
  oneapi::tbb::parallel_for(size_t(0), pairs.size(), [&](size_t i) {
    RacePair &pair = pairs[i];
    if (pair.meetings.size() < 2) return;
    std::vector<std::pair<Key, Met>> keyed; // a key costs more than comparing it
    keyed.reserve(pair.meetings.size());
    for (const Met &met : pair.meetings) keyed.push_back({keyOf(pair, meetingOf(world, pair, met)), met});
    std::ranges::sort(keyed, {}, &std::pair<Key, Met>::first);
    std::ranges::copy(keyed | std::views::values, pair.meetings.begin());
  });
}

} // namespace deadheat::analyse
