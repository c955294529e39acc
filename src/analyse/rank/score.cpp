#include "analyse/rank/score.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "analyse/rank/walk.h"

namespace deadheat::analyse {

namespace {

struct Seen {
  const World &world;
  const Belief &belief;
  const Crowd &crowd;
  Reach &reach;
  const Candidate &candidate;
  const finding::Finding &described;
  const WorldAccess &a = world.accesses[candidate.pair->a];
  const WorldAccess &b = world.accesses[candidate.pair->b];

  bool isNamed() const { return candidate.pair->isSameName; }
};

constexpr double kMostCalls = 12.5; // of a side

} // namespace

static double ofStartingUp(const Seen &seen) {
  return isStartingUp(seen.world, seen.candidate.meeting.a) || isStartingUp(seen.world, seen.candidate.meeting.b);
}

static int guardedSides(const Seen &seen) {
  return isGuarded(seen.world, seen.candidate.meeting.a) + isGuarded(seen.world, seen.candidate.meeting.b);
}

static double ofOneGuarded(const Seen &seen) { return guardedSides(seen) == 1 && ofStartingUp(seen) == 0; }

static double shareOf(const Belief &belief) { return static_cast<double>(belief.guarded) / belief.accesses; }

// A lock that is mostly held is meant to be, unless it is the first thread that goes without while it prepares the others.
static double ofMostlyGuarded(const Seen &seen) {
  const bool counts = seen.belief.isHeld() && guardedSides(seen) < 2 && ofStartingUp(seen) == 0;
  return counts ? shareOf(seen.belief) : 0;
}

static double ofNamed(const Seen &seen) { return seen.isNamed(); }

static double ofFolded(const Seen &seen) {
  const NodeTable &nodes = seen.world.names.nodes;
  return nodes[seen.a.lvalue.node].folded + nodes[seen.b.lvalue.node].folded;
}

static double ofLargeClass(const Seen &seen) {
  if (seen.isNamed() || !seen.a.where.valid()) return 0;
  const link::PointsTo &pointsTo = seen.world.environment.program.pointsTo;
  return std::min(3.0, std::log10(1.0 + pointsTo.classSize(pointsTo.classOf(seen.a.where.node))));
}

// A lock that is held at a third of the accesses is somebody's rule.
static double ofUnguarded(const Seen &seen) {
  return seen.isNamed() ? 0 : std::max(0.0, 1.0 - 3.0 * shareOf(seen.belief));
}

static double ofOneEntry(const Seen &seen) {
  return !seen.isNamed() && seen.candidate.meeting.a.thread == seen.candidate.meeting.b.thread;
}

// Copies mostly stay in the member that they begin in, as long as they may be.
static double ofBeyondCopy(const Seen &seen) {
  auto isBeyond = [&](const WorldAccess &copy, const WorldAccess &other) {
    const Entry &entry = seen.world.entryOf(copy);
    return entry.traits.range && entry.size == 0 && copy.lvalue.node == other.lvalue.node &&
           copy.lvalue.offset != other.lvalue.offset;
  };
  return isBeyond(seen.a, seen.b) || isBeyond(seen.b, seen.a);
}

static double ofElement(const Seen &seen) {
  const NodeTable &nodes = seen.world.names.nodes;
  auto isElement = [](const Node &node) { return node.kind == NodeKind::Element; };
  return nodes.any(seen.a.lvalue.node, isElement) || nodes.any(seen.b.lvalue.node, isElement);
}

static double ofRange(const Seen &seen) {
  return seen.world.entryOf(seen.a).traits.range || seen.world.entryOf(seen.b).traits.range;
}

static Way wayOf(const Seen &seen, const Performer &performer, const Leaf &leaf) {
  Way way = seen.reach.to(performer.thread, leaf.steps[0].function);
  for (size_t i = 0; i + 1 < leaf.steps.size(); ++i)
    way.bits += std::log2(static_cast<float>(seen.reach.widthOf(leaf.steps[i].function, leaf.steps[i].statement)));
  way.isLikely = true; // else it is demoted for that
  return way;
}

static double ofWide(const Seen &seen) {
  return costOf(wayOf(seen, seen.candidate.meeting.a, seen.candidate.a)) +
         costOf(wayOf(seen, seen.candidate.meeting.b, seen.candidate.b));
}

// How far the access is from what the thread was started for; main does all sorts of things. What the library calls on the way is no
// decision of the program's.
static double ofDeep(const Seen &seen) {
  auto calls = [&](const Performer &performer, const Leaf &leaf) {
    bool isMain = seen.world.environment.program.threads.list[performer.thread].kind == link::ThreadKind::Main;
    size_t before = isMain ? 0 : wayOf(seen, performer, leaf).depth;
    auto callers = std::span(leaf.steps).first(leaf.steps.size() - 1);
    auto users =
        std::ranges::count_if(callers, [&](const Step &step) { return !isLibrarys(seen.world, step.function); });
    return std::min(kMostCalls, static_cast<double>(before + users));
  };
  return calls(seen.candidate.meeting.a, seen.candidate.a) + calls(seen.candidate.meeting.b, seen.candidate.b);
}

static double ofCrowded(const Seen &seen) { return costOf(seen.crowd, seen.candidate.meeting); }

static double ofHandler(const Seen &seen) {
  auto isHandler = [&](const Performer &performer) {
    return seen.world.environment.program.threads.list[performer.thread].kind == link::ThreadKind::Signal;
  };
  return isHandler(seen.candidate.meeting.a) || isHandler(seen.candidate.meeting.b);
}

static double ofInLibrary(const Seen &seen) {
  auto isLibrary = [&](const Leaf &leaf) {
    const link::Program &program = seen.world.environment.program;
    return (program.function(leaf.steps.back().function).flags & model::kLibrary) != 0;
  };
  return isLibrary(seen.candidate.a) + isLibrary(seen.candidate.b);
}

static double ofTwoWrites(const Seen &seen) {
  return seen.world.entryOf(seen.a).traits.write && seen.world.entryOf(seen.b).traits.write;
}

static double ofVolatile(const Seen &seen) {
  auto isVolatile = [&](const Leaf &leaf) {
    const model::Statement &statement =
        seen.world.environment.program.unit(leaf.unit).statements[leaf.steps.back().statement];
    const bool isPlain = statement.kind == model::StatementKind::Load || statement.kind == model::StatementKind::Store;
    return isPlain && statement.number != 0;
  };
  return isVolatile(seen.candidate.a) || isVolatile(seen.candidate.b);
}

static double ofDemoted(const Seen &seen) { return static_cast<double>(seen.described.demotions.size()); }

double scoreOf(const World &world, const Beliefs &beliefs, const Crowd &crowd, Reach &reach, const Candidate &candidate,
               const finding::Finding &described) {
  struct Cue {
    double (*amount)(const Seen &);
    double weight;
  };
  static constexpr Cue kCues[] = {
#define CUE(name, weight) {of##name, weight},
#include "analyse/rank/cues.def"
  };
  const Belief &belief = beliefs.of(world, world.accesses[candidate.pair->a]);
  const Seen seen{world, belief, crowd, reach, candidate, described};
  double score = 6.0;
  for (const Cue &cue : kCues) score += cue.weight * cue.amount(seen);
  return std::max(0.1, score);
}

} // namespace deadheat::analyse
