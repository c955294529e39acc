#include "analyse/filter/turns.h"

#include <algorithm>

#include "analyse/filter/ordered.h"

namespace deadheat::analyse {

static bool isOne(const World &world, link::ThreadId thread) {
  return world.crews.at(thread).size() == 1 && !world.environment.program.threads.list[thread].many;
}

bool takeTurns(const World &world, Signals &signals, const Candidate &candidate) {
  const Meeting &meeting = candidate.meeting;
  if (meeting.a.thread == meeting.b.thread || !isOne(world, meeting.a.thread) || !isOne(world, meeting.b.thread))
    return false;
  auto isTheirs = [&](link::Location number) {
    return std::ranges::all_of(world.signals, [&](const auto &told) {
      return told.first == meeting.a.thread || told.first == meeting.b.thread ||
             !tells(world, world.signals, told.first, number);
    });
  };
  auto waits = [&](const Performer &later, const Performer &earlier, const Leaf &leaf) {
    return std::ranges::any_of(world.locksets[later.locks], [&](const HeldLock &seen) {
      if (seen.mode != LockMode::After) return false;
      const link::Location number = placeOf(world, seen);
      if (!tells(world, world.signals, earlier.thread, number)) return false;
      if (signals.letsInSeveral(number)) return false;
      const Signals::Order order = signals.of(leaf, earlier.thread, number);
      return order.isKnown && order.follows && !order.isAwake && isTheirs(number);
    });
  };
  return waits(meeting.a, meeting.b, candidate.b) && waits(meeting.b, meeting.a, candidate.a);
}

} // namespace deadheat::analyse
