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

static double ofLocks(const World &world, const Beliefs &beliefs, const Candidate &candidate) {
  bool isHeldA = isGuarded(world, candidate.meeting.a);
  bool isHeldB = isGuarded(world, candidate.meeting.b);
  double score = isHeldA != isHeldB ? 1.0 : 0.0;
  const Belief &belief = beliefs.of(world, world.accesses[candidate.pair->a]);
  if (belief.isHeld() && !(isHeldA && isHeldB)) score += 2.0 * belief.guarded / belief.accesses;
  return score;
}

static double ofNames(const World &world, const Candidate &candidate) {
  const WorldAccess &a = world.accesses[candidate.pair->a];
  const WorldAccess &b = world.accesses[candidate.pair->b];
  double score = candidate.pair->isSameName ? 1.5 : 0.0;
  for (const WorldAccess *access : {&a, &b})
    if (world.names.nodes[access->lvalue.node].folded) score -= 0.5;
  const link::PointsTo &pointsTo = world.environment.program.pointsTo;
  if (!candidate.pair->isSameName && a.where.valid())
    score -= std::min(1.5, 0.5 * std::log10(1.0 + pointsTo.classSize(pointsTo.classOf(a.where.node))));
  return score;
}

// The first thread has not yet started all that it will start: what it does now, it mostly does before it is looked at.
static bool isStartingUp(const World &world, const Performer &performer) {
  const link::Threads &threads = world.environment.program.threads;
  if (threads.list[performer.thread].kind != link::ThreadKind::Main) return false;
  const std::vector<link::ThreadId> &live = world.liveSets[performer.live];
  for (uint32_t thread = 0; thread < threads.list.size(); ++thread)
    if (threads.startedBy(link::ThreadId(thread), performer.thread) &&
        !std::ranges::binary_search(live, link::ThreadId(thread)))
      return true;
  return false;
}

double scoreOf(const World &world, const Beliefs &beliefs, const Candidate &candidate,
               const finding::Finding &described) {
  const Entry &a = world.entryOf(world.accesses[candidate.pair->a]);
  const Entry &b = world.entryOf(world.accesses[candidate.pair->b]);
  const link::Program &program = world.environment.program;
  double score = 5.0 + ofLocks(world, beliefs, candidate) + ofNames(world, candidate);
  score += a.traits.write && b.traits.write ? 1.0 : 0.0;
  score -= a.traits.atomic || b.traits.atomic ? 0.5 : 0.0;
  score += candidate.meeting.a.thread != candidate.meeting.b.thread ? 0.5 : 0.0;
  score -= 0.1 * static_cast<double>(std::min<size_t>(candidate.a.steps.size() + candidate.b.steps.size(), 12));
  for (const Leaf *leaf : {&candidate.a, &candidate.b})
    score -= (program.function(leaf->steps.back().function).flags & model::kLibrary) != 0 ? 0.5 : 0.0;
  score -= tellsOfStatistics(described.variable) ? 1.0 : 0.0;
  score -= isStartingUp(world, candidate.meeting.a) || isStartingUp(world, candidate.meeting.b) ? 1.5 : 0.0;
  score -= 2.5 * static_cast<double>(described.demotions.size());
  return std::max(0.1, score);
}

} // namespace deadheat::analyse
