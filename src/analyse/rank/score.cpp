#include "analyse/rank/score.h"

#include <algorithm>
#include <cmath>

#include "llvm/ADT/StringRef.h"

namespace deadheat::analyse {

static bool tellsOfStatistics(const std::string &variable) {
  static constexpr const char *kCues[] = {"stat", "count", "debug", "oops", "hits", "total", "verbose", "progress"};
  return std::ranges::any_of(kCues,
                             [&](const char *cue) { return llvm::StringRef(variable).contains_insensitive(cue); });
}

// A lock that is mostly held is meant to be, unless it is the first thread that goes without while it prepares the others.
static double ofLocks(const World &world, const Beliefs &beliefs, const Candidate &candidate) {
  bool isHeldA = isGuarded(world, candidate.meeting.a);
  bool isHeldB = isGuarded(world, candidate.meeting.b);
  if (isStartingUp(world, candidate.meeting.a) || isStartingUp(world, candidate.meeting.b)) return -2.0;
  double score = isHeldA != isHeldB ? 1.0 : 0.0;
  const Belief &belief = beliefs.of(world, world.accesses[candidate.pair->a]);
  if (belief.isHeld() && !(isHeldA && isHeldB)) score += 2.0 * belief.guarded / belief.accesses;
  return score;
}

// Copies mostly stay in the member that they begin in, as long as they may be.
static bool isBeyondCopy(const WorldAccess &a, const Entry &entryA, const WorldAccess &b) {
  return entryA.traits.range && entryA.size == 0 && a.lvalue.node == b.lvalue.node &&
         a.lvalue.offset != b.lvalue.offset;
}

static double ofNames(const World &world, const Beliefs &beliefs, const Candidate &candidate) {
  const WorldAccess &a = world.accesses[candidate.pair->a];
  const WorldAccess &b = world.accesses[candidate.pair->b];
  double score = candidate.pair->isSameName ? 1.5 : 0.0;
  if (isBeyondCopy(a, world.entryOf(a), b) || isBeyondCopy(b, world.entryOf(b), a)) score -= 3.0;
  for (const WorldAccess *access : {&a, &b})
    if (world.names.nodes[access->lvalue.node].folded) score -= 0.5;
  if (candidate.pair->isSameName) return score;
  const link::PointsTo &pointsTo = world.environment.program.pointsTo;
  if (a.where.valid())
    score -= std::min(1.5, 0.5 * std::log10(1.0 + pointsTo.classSize(pointsTo.classOf(a.where.node))));
  // Nobody ever guards it, and only points-to says that it is one object: likely each thread has its own.
  if (beliefs.of(world, a).guarded == 0) score -= 1.5;
  return score;
}

// How far the access is from what the thread was started for, and how sure it is that the thread gets there.
static double ofWay(const World &world, Reach &reach, const Performer &performer, const Leaf &leaf) {
  Way way = reach.to(performer.thread, leaf.steps[0].function);
  for (size_t i = 0; i + 1 < leaf.steps.size(); ++i)
    way.bits += std::log2(static_cast<float>(reach.widthOf(leaf.steps[i].function, leaf.steps[i].statement)));
  way.isLikely = true; // else it is demoted for that
  bool isMain = world.environment.program.threads.list[performer.thread].kind == link::ThreadKind::Main;
  size_t depth = leaf.steps.size() - 1 + (isMain ? 0 : way.depth);
  return -costOf(way) - std::min(1.5, 0.12 * static_cast<double>(depth));
}

static double ofThreads(const World &world, const Meeting &meeting) {
  const link::Threads &threads = world.environment.program.threads;
  auto isSignal = [&](const Performer &performer) {
    return threads.list[performer.thread].kind == link::ThreadKind::Signal;
  };
  // A handler interrupts one thread, mostly the one that it shares its flags with.
  double score = isSignal(meeting.a) || isSignal(meeting.b) ? -2.5 : 0.0;
  return score + (meeting.a.thread != meeting.b.thread ? 0.5 : 0.0);
}

double scoreOf(const World &world, const Beliefs &beliefs, const Crowd &crowd, Reach &reach, const Candidate &candidate,
               const finding::Finding &described) {
  const Entry &a = world.entryOf(world.accesses[candidate.pair->a]);
  const Entry &b = world.entryOf(world.accesses[candidate.pair->b]);
  const link::Program &program = world.environment.program;
  double score = 6.0 + ofLocks(world, beliefs, candidate) + ofNames(world, beliefs, candidate);
  score +=
      ofWay(world, reach, candidate.meeting.a, candidate.a) + ofWay(world, reach, candidate.meeting.b, candidate.b);
  score += ofThreads(world, candidate.meeting) - costOf(crowd, candidate.meeting);
  score += a.traits.write && b.traits.write ? 0.5 : 0.0;
  score -= a.traits.atomic || b.traits.atomic ? 0.5 : 0.0;
  for (const Leaf *leaf : {&candidate.a, &candidate.b})
    score -= (program.function(leaf->steps.back().function).flags & model::kLibrary) != 0 ? 0.5 : 0.0;
  score -= tellsOfStatistics(described.variable) ? 1.0 : 0.0;
  score -= 2.5 * static_cast<double>(described.demotions.size());
  return std::max(0.1, score);
}

} // namespace deadheat::analyse
