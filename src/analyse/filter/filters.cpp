#include "analyse/filter/filters.h"

#include <algorithm>
#include <cmath>
#include <ranges>

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include "analyse/filter/handed_on.h"
#include "analyse/filter/making.h"
#include "analyse/filter/ordered.h"
#include "analyse/filter/own_argument.h"
#include "analyse/filter/preparation.h"
#include "analyse/filter/turns.h"
#include "analyse/race/common_lock.h"
#include "analyse/race/shown.h"
#include "analyse/rank/walk.h"

namespace deadheat::analyse {

namespace {

struct Sides {
  const World &world;
  const Candidate &candidate;
  const WorldAccess &a;
  const WorldAccess &b;
  const link::Thread &threadA;
  const link::Thread &threadB;
  Reach &reach;
  Orders &orders;
  Known knownA = {}; // by the thread, where it does the access
  Known knownB = {};
};

} // namespace

static bool isThreadLocalAllocation(const Sides &sides) {
  if (sides.candidate.pair->isSameName) return false;
  if (sides.world.entryOf(sides.a).traits.unordered || sides.world.entryOf(sides.b).traits.unordered) return false;
  return isDoubted(sides.world, sides.a, sides.candidate.a, sides.b) ||
         isDoubted(sides.world, sides.b, sides.candidate.b, sides.a);
}

// The class is what unification makes of it; which objects of it are meant may be known all the same.
static bool areFewObjects(const Sides &sides) {
  const Fields &fields = sides.world.environment.fields;
  uint32_t field = sides.world.entryOf(sides.a).field, other = sides.world.entryOf(sides.b).field;
  if (field == 0 || (field != other && !fields.isSpan(other))) return false;
  auto isFew = [&](link::Location where) {
    auto [known, isNew] = sides.world.foundOut.local().fewObjects.try_emplace(where, false);
    if (isNew && where.valid()) {
      link::Places places = sides.world.environment.program.pointsTo.places(where);
      known->second = places.complete && places.list.size() <= kFewObjects;
    }
    return known->second;
  };
  return isFew(sides.a.where) && isFew(sides.b.where);
}

// The same member of the same class, by `this` on both sides and in the user's own code: of most classes that threads
// share there are few objects.
static bool isOwnMember(const Sides &sides) {
  uint32_t field = sides.world.entryOf(sides.a).field;
  if (field != sides.world.entryOf(sides.b).field) return false;
  // An element of an array has no field: then the words must be those of one function.
  if (field == 0 && sides.candidate.a.steps.back().function != sides.candidate.b.steps.back().function) return false;
  auto pathOf = [&](const Leaf &leaf) -> std::string_view {
    const model::Unit &unit = sides.world.environment.program.unit(leaf.unit);
    const model::Site &site = unit.sites[leaf.site];
    bool isLibrary = (unit.functions[site.function].flags & model::kLibrary) != 0;
    return isLibrary ? std::string_view() : unit.strings[site.path];
  };
  std::string_view path = pathOf(sides.candidate.a);
  return path.starts_with("this->") && path == pathOf(sides.candidate.b);
}

// Each holds one lock of an array that lies in the object itself, beside the member that is accessed: there are more locks than
// objects, and which one is held says nothing of the member, unless it is all of them.
static bool areBesideLocks(const Sides &sides) {
  const NodeTable &nodes = sides.world.names.nodes;
  auto isBeside = [&](const WorldAccess &access, const Performer &performer) {
    return std::ranges::any_of(sides.world.locksets[performer.locks], [&](const HeldLock &held) {
      const Node &lock = nodes[held.lock.node];
      return held.mode == LockMode::Exclusive && lock.kind == NodeKind::Element && !held.all &&
             (lock.base == access.lvalue.node || lock.base == access.path.node);
    });
  };
  return isBeside(sides.a, sides.candidate.meeting.a) && isBeside(sides.b, sides.candidate.meeting.b);
}

// The object that points-to says both are, if that leaves no doubt as to where it is made.
static std::optional<link::ObjectId> oneMaker(const Sides &sides) {
  const link::PointsTo &pointsTo = sides.world.environment.program.pointsTo;
  const std::optional<link::Place> a = pointsTo.single(sides.a.where), b = pointsTo.single(sides.b.where);
  return a && b && a->object == b->object ? std::optional(a->object) : std::nullopt;
}

// One side holds a lock that lies in the object, the other one does not: it holds a wrong one.
static bool isWrongLock(const Sides &sides) {
  auto holdsInside = [&](const WorldAccess &access, const Performer &performer) {
    return std::ranges::any_of(sides.world.locksets[performer.locks], [&](const HeldLock &held) {
      const bool isInside = held.lock.node == access.lvalue.node || held.lock.node == access.path.node;
      return held.mode == LockMode::Exclusive && isInside;
    });
  };
  const Meeting &meeting = sides.candidate.meeting;
  return holdsInside(sides.a, meeting.a) != holdsInside(sides.b, meeting.b);
}

// Where both sides hold locks, though different ones, it is likelier that points-to mixes up two objects; not where each holds another member of
// its object, or where there is one object only.
static bool isLargeClass(const Sides &sides) {
  if (sides.candidate.pair->isSameName) return false;
  auto isExclusive = [&](const Performer &performer) {
    return std::ranges::any_of(sides.world.locksets[performer.locks],
                               [](const HeldLock &held) { return held.mode == LockMode::Exclusive; });
  };
  const Meeting &meeting = sides.candidate.meeting;
  auto holdOthers = [&](Address a, Address b) {
    return areOtherMembers(sides.world.names.nodes, a, sides.world.locksets[meeting.a.locks], b,
                           sides.world.locksets[meeting.b.locks]);
  };
  bool areGuarded = isExclusive(meeting.a) && isExclusive(meeting.b) && !areBesideLocks(sides) &&
                    !holdOthers(sides.a.lvalue, sides.b.lvalue) && !holdOthers(sides.a.path, sides.b.path);
  const link::Program &program = sides.world.environment.program;
  if (const std::optional<link::ObjectId> object = oneMaker(sides))
    if (program.madeByOneCall[object->value()] || isWrongLock(sides)) return false;
  const link::PointsTo &pointsTo = program.pointsTo;
  if (!areGuarded && (areFewObjects(sides) || isOwnMember(sides))) return false;
  return sides.a.where.valid() &&
         pointsTo.classSize(pointsTo.classOf(sides.a.where.node)) > (areGuarded ? 1 : kLargeClass);
}

static bool isStartUpThread(const Sides &sides) {
  auto starts = [&](const link::Thread &thread, const Leaf &leaf) {
    return thread.kind == link::ThreadKind::Main &&
           (sides.world.environment.program.function(leaf.steps[0].function).flags & model::kStartUp) != 0;
  };
  return starts(sides.threadA, sides.candidate.a) || starts(sides.threadB, sides.candidate.b);
}

// Of threads that are followed as one, the nearest.
static link::ThreadId nearest(const World &world, const Performer &performer, const Leaf &leaf) {
  if (world.crews.at(performer.thread).size() == 1) return performer.thread;
  auto [known, isNew] = world.foundOut.local().nearest.try_emplace({performer.thread, leaf.steps[0].function});
  if (isNew) known->second = threadAt(world, performer, leaf.steps[0].function);
  return known->second;
}

static bool isSameEntry(const Sides &sides) {
  const Meeting &meeting = sides.candidate.meeting;
  if (meeting.a.thread != meeting.b.thread) return false;
  link::ThreadId id = nearest(sides.world, meeting.a, sides.candidate.a);
  const link::Thread &thread = sides.world.environment.program.threads.list[id];
  auto isOnlyStart = [&](link::FuncId entry) { return sides.world.startingAt.at(entry).size() == 1; };
  bool isAlone = sides.world.crews.at(meeting.a.thread).size() == 1 || std::ranges::all_of(thread.entries, isOnlyStart);
  if (!isAlone || id != nearest(sides.world, meeting.b, sides.candidate.b)) return false;
  return !link::showsTwo(thread.manyWhy);
}

// Who takes an object out of where it was found has it for itself, but for the one that has made it, put it there and goes on with it.
static bool isUnshared(const Sides &sides) {
  auto isTaken = [&](const WorldAccess &access) { return sides.world.entryOf(access).traits.unshared; };
  auto isMakers = [&](const WorldAccess &access, const Leaf &leaf) {
    return access.isOwn && !isTaken(access) && !shownAt(sides.world.environment.program, leaf).isWithinLibrary;
  };
  return (isTaken(sides.a) && !isMakers(sides.b, sides.candidate.b)) ||
         (isTaken(sides.b) && !isMakers(sides.a, sides.candidate.a));
}

static bool isLockLeftOut(const Sides &sides) {
  return sides.world.entryOf(sides.a).traits.lockLeftOut || sides.world.entryOf(sides.b).traits.lockLeftOut;
}

// From the entry of the thread.
static std::vector<Step> wayOf(const Sides &sides, const Performer &performer, const Leaf &leaf) {
  std::vector<Step> steps = sides.reach.wayTo(performer.thread, leaf.steps[0].function);
  steps.insert(steps.end(), leaf.steps.begin(), leaf.steps.end());
  return steps;
}

static bool isOrdered(const Sides &sides) {
  const Candidate &candidate = sides.candidate;
  const Meeting &meeting = candidate.meeting;
  const Side a{meeting.a, candidate.a, sides.a}, b{meeting.b, candidate.b, sides.b};
  if (comesAfter(sides.world, sides.orders.signals, a, b) || comesAfter(sides.world, sides.orders.signals, b, a))
    return true;
  if (takeTurns(sides.world, sides.orders.signals, candidate)) return true;
  if (meeting.a.thread == meeting.b.thread) return false;
  const std::vector<Step> wayA = wayOf(sides, meeting.a, candidate.a), wayB = wayOf(sides, meeting.b, candidate.b);
  return sides.orders.counted.isOff(wayA, wayB) || sides.orders.counted.isOff(wayB, wayA);
}

// The thread whose argument the access is to, or to what a pointer in it leads to, if that is another one for each.
static link::ThreadId ownerOf(const World &world, const WorldAccess &access) {
  const NodeTable &nodes = world.names.nodes;
  auto outOfArrays = [&](NodeId node) {
    while (nodes[node].kind == NodeKind::Element) node = nodes[node].base;
    return node;
  };
  NodeId node = outOfArrays(access.lvalue.node);
  const bool isLoaded = nodes[node].kind == NodeKind::Load;
  if (isLoaded) node = outOfArrays(nodes[node].base);
  const Node &root = nodes[node];
  if (root.kind != NodeKind::Formal || root.owner == 0 || root.index != 0) return {};
  link::ThreadId thread(root.owner - 1);
  return !isLoaded || world.environment.program.threads.list[thread].ownPointers ? thread : link::ThreadId();
}

// An element that each thread chooses by a number of its own.
static bool isByOwnNumber(const World &world, const Performer &performer, const WorldAccess &access) {
  auto isOwn = [](const Node &step) { return step.kind == NodeKind::Element && step.index == kOwnKey; };
  return performer.isChosen || world.names.nodes.any(access.lvalue.node, isOwn);
}

// One side is before, or after, the life of the thread that has the object on the other side.
static bool isInLife(const Sides &sides, Lives::When when) {
  auto is = [&](const Leaf &leaf, const Performer &performer, const WorldAccess &other) {
    link::ThreadId owner = ownerOf(sides.world, other);
    if (owner.valid()) return sides.orders.lives.of(leaf, owner, Lives::By::Object) == when;
    return isByOwnNumber(sides.world, performer, other) &&
           sides.orders.lives.of(leaf, performer.thread, Lives::By::Number) == when;
  };
  const Meeting &meeting = sides.candidate.meeting;
  return is(sides.candidate.a, meeting.b, sides.b) || is(sides.candidate.b, meeting.a, sides.a);
}

// Each function on the way starts and joins what it does before it calls the next.
static bool isLikelyJoined(const Sides &sides) {
  const link::Threads &threads = sides.world.environment.program.threads;
  if (threads.likely.sets.empty()) return false;
  if (isInLife(sides, Lives::When::After)) return true;
  auto isOver = [&](const Performer &performer, const Leaf &leaf, link::ThreadId other) {
    if (other == performer.thread || !sides.world.isFollowed(performer.thread, other)) return false;
    if (sides.orders.lives.areOver(leaf, other)) return true;
    link::FuncId outermost = leaf.steps[0].function;
    std::vector<link::ThreadId> live = threads.likely.sets[threads.likely.liveAtEntry[outermost.value()]];
    for (const Step &step : leaf.steps) live = threads.likely.liveAt(step.function, step.statement, live);
    return !std::ranges::binary_search(live, other);
  };
  const Candidate &candidate = sides.candidate;
  return isOver(candidate.meeting.a, candidate.a, candidate.meeting.b.thread) ||
         isOver(candidate.meeting.b, candidate.b, candidate.meeting.a.thread);
}

static bool isPreparing(const Sides &sides) {
  const Meeting &meeting = sides.candidate.meeting;
  auto prepares = [&](const Performer &performer, const Leaf &leaf, const Performer &other) {
    return isPreparation(sides.world, performer.thread, leaf.steps.back().function, leaf.steps.back().statement,
                         other.thread);
  };
  return prepares(meeting.a, sides.candidate.a, meeting.b) || prepares(meeting.b, sides.candidate.b, meeting.a) ||
         isInLife(sides, Lives::When::Before);
}

// A step of the name that means another object in each thread.
static bool isStepOfOwn(const World &world, NodeId node) {
  const Node &step = world.names.nodes[node];
  if (step.kind == NodeKind::Element) return step.index == kOwnKey;
  if (step.kind != NodeKind::Load) return false;
  const Node &from = world.names.nodes[step.base];
  return from.kind == NodeKind::Global &&
         (world.environment.program.variable(link::GlobalId(from.index)).flags & model::kThreadLocal) != 0;
}

// A thread that starts others like itself divides what it was given among them: `sort(left)` in a thread, `sort(right)` here.
static bool isDivided(const Sides &sides) {
  const Meeting &meeting = sides.candidate.meeting;
  const NodeTable &nodes = sides.world.names.nodes;
  auto isElement = [&](const WorldAccess &access) {
    return nodes.any(access.lvalue.node, [](const Node &step) { return step.kind == NodeKind::Element; });
  };
  auto isInside = [](const link::Thread &thread, const Leaf &leaf) {
    return std::ranges::any_of(leaf.steps, [&](const Step &step) {
      return std::ranges::find(thread.entries, step.function) != thread.entries.end();
    });
  };
  auto divides = [&](const Performer &performer, const Leaf &other) {
    const link::Thread &thread = sides.world.environment.program.threads.list[performer.thread];
    return std::ranges::find(thread.creators, performer.thread) != thread.creators.end() && isInside(thread, other);
  };
  return isElement(sides.a) && isElement(sides.b) &&
         (divides(meeting.a, sides.candidate.b) || divides(meeting.b, sides.candidate.a));
}

static bool isThreadsOwn(const Sides &sides) {
  if (isDivided(sides) || areOwnElements(sides.world, sides.candidate.meeting, sides.a, sides.b)) return true;
  const NodeTable &nodes = sides.world.names.nodes;
  auto isOwn = [&](const WorldAccess &access) {
    for (NodeId node = access.lvalue.node; node.valid(); node = nodes[node].base)
      if (isStepOfOwn(sides.world, node)) return true;
    return isFromOwnArgument(sides.world, access.lvalue.node);
  };
  const Meeting &meeting = sides.candidate.meeting;
  const bool areInstances = areOfOneStart(sides.world, meeting.a.thread, meeting.b.thread);
  return (isOwn(sides.a) || (areInstances && meeting.a.isChosen)) &&
         (isOwn(sides.b) || (areInstances && meeting.b.isChosen));
}

static bool isTwoHandlers(const Sides &sides) {
  return sides.threadA.kind == link::ThreadKind::Signal && sides.threadB.kind == link::ThreadKind::Signal;
}

// The first thread gets there only by what was registered for the end.
static bool isAtExit(const Sides &sides) {
  auto isLast = [&](const link::Thread &thread, const WorldAccess &access) {
    return thread.kind == link::ThreadKind::Main && !sides.world.beforeExit.empty() &&
           !sides.world.beforeExit[access.function.value()];
  };
  return isLast(sides.threadA, sides.a) || isLast(sides.threadB, sides.b);
}

// Not where both access one object, and hold the locks of whichever others.
static bool isLockKin(const Sides &sides) {
  if (sides.candidate.meeting.exclusion != Exclusion::Kin) return false;
  const link::Program &program = sides.world.environment.program;
  const std::optional<link::ObjectId> object = oneMaker(sides);
  if (!object || !program.madeByOneCall[object->value()]) return true;
  return std::ranges::any_of(sides.world.locksets[sides.candidate.meeting.a.locks], [&](const HeldLock &held) {
    const std::optional<link::Place> lock = program.pointsTo.single(placeOf(sides.world, held));
    if (!lock || held.mode == LockMode::After) return false;
    const link::ObjectKind kind = program.pointsTo.objects()[lock->object].kind;
    return kind == link::ObjectKind::Variable || program.madeByOneCall[lock->object.value()];
  });
}

static bool isLockFamily(const Sides &sides) {
  return sides.candidate.meeting.exclusion == Exclusion::Family && !areBesideLocks(sides);
}

// The variable that a path begins with; empty: it begins at a pointer, or is no path.
static llvm::StringRef variableOfPath(llvm::StringRef path) {
  llvm::StringRef name = path.take_while([](char c) { return llvm::isAlnum(c) || c == '_' || c == ':'; });
  bool isObject = name.size() == path.size() || path[name.size()] == '.' || path[name.size()] == '[';
  return isObject ? name : llvm::StringRef();
}

// The user's lines give the library different variables.
static bool areOfOtherVariables(const Sides &sides) {
  const link::Program &program = sides.world.environment.program;
  llvm::StringRef a = variableOfPath(shownAt(program, sides.candidate.a).path);
  llvm::StringRef b = variableOfPath(shownAt(program, sides.candidate.b).path);
  return !a.empty() && !b.empty() && a != b;
}

// That keeps the object: as the summaries tell, or the first vector on the way there.
static Address containerOf(const World &world, const WorldAccess &access) {
  Address container = access.container;
  if (container.node.valid()) return container;
  const NodeTable &nodes = world.names.nodes;
  for (NodeId node = access.lvalue.node; node.valid(); node = nodes[node].base)
    if (nodes[node].kind == NodeKind::Load && world.environment.fields.isBuffer(world.names.info[node.value()].field))
      container = {nodes[node].base, nodes[node].offset};
  return container;
}

// Two containers have nothing in common, though the library gets the memory of all of a type in one place.
static bool areOfOtherContainers(const Sides &sides) {
  const Address a = containerOf(sides.world, sides.a), b = containerOf(sides.world, sides.b);
  if (!a.node.valid() || !b.node.valid() || a == b) return false;
  const NodeTable &nodes = sides.world.names.nodes;
  return a.node == b.node || (isObject(nodes[a.node].kind) && isObject(nodes[b.node].kind));
}

// They give it the same member of an object: `this->names`, `store->names`.
static bool areOfSameMember(const Sides &sides) {
  auto memberOf = [](llvm::StringRef path) {
    size_t end = path.find_last_of(".>");
    return end == llvm::StringRef::npos ? llvm::StringRef() : path.drop_front(end + 1);
  };
  const link::Program &program = sides.world.environment.program;
  Shown a = shownAt(program, sides.candidate.a), b = shownAt(program, sides.candidate.b);
  llvm::StringRef member = memberOf(a.path);
  return a.isWithinLibrary && b.isWithinLibrary && a.frame != 0 && b.frame != 0 && !member.empty() &&
         member == memberOf(b.path);
}

// On one side no line of the user's has a word for it, and the thread no name: it is behind the library's own pointers.
static bool isNameless(const Sides &sides) {
  const NodeTable &nodes = sides.world.names.nodes;
  auto is = [&](const WorldAccess &access, const Leaf &leaf) {
    const llvm::StringRef path = shownAt(sides.world.environment.program, leaf).path;
    return path.ltrim("*&(").starts_with("__") && nodes[nodes.root(access.lvalue.node)].kind == NodeKind::Some;
  };
  return is(sides.a, sides.candidate.a) || is(sides.b, sides.candidate.b);
}

// The access is by futures and what they share, with no function of the user's in between.
static bool isByFuture(const link::Program &program, const Leaf &leaf) {
  constexpr llvm::StringLiteral kFutures[] = {"std::__future_base::", "std::future<", "std::shared_future<",
                                              "std::promise<", "std::packaged_task<"};
  for (const Step &step : leaf.steps | std::views::reverse) {
    const link::Function &function = program.function(step.function);
    if ((function.flags & model::kLibrary) == 0) return false;
    llvm::StringRef name = function.display;
    if (std::ranges::any_of(kFutures, [&](llvm::StringRef each) { return name.contains(each); })) return true;
  }
  return false;
}

// Who is the last to have a shared pointer resets its counts plainly: that nobody else has it is what they say. Who has asked others
// to stop keeps its list of callbacks by a lock that is a bit of an atomic. What a future shares with who fulfils it is written once.
static bool isKeptByLibrary(const Sides &sides, const Leaf &leaf) {
  const model::Unit &unit = sides.world.environment.program.unit(leaf.unit);
  const model::Site &site = unit.sites[leaf.site];
  return isByFuture(sides.world.environment.program, leaf) ||
         unit.strings[site.type].starts_with("std::_Sp_counted_base<") ||
         unit.strings[unit.functions[site.function].display].starts_with("std::stop_token::_Stop_");
}

// What a container holds has no name in the code that calls it; what it moves about as bytes is no field of a type of
// the user's; and members of its own, as its size, are not what iterators lead to.
static bool isLibraryObject(const Sides &sides) {
  if (isKeptByLibrary(sides, sides.candidate.a) || isKeptByLibrary(sides, sides.candidate.b)) return true;
  if (areOfOtherContainers(sides)) return true;
  if (sides.candidate.pair->isSameName) return false;
  if (sides.candidate.a.settledAt != 0 || sides.candidate.b.settledAt != 0) return true;
  auto isLibrary = [&](const Leaf &leaf) {
    const model::Unit &unit = sides.world.environment.program.unit(leaf.unit);
    return (unit.functions[unit.sites[leaf.site].function].flags & model::kLibrary) != 0;
  };
  bool isLibraryA = isLibrary(sides.candidate.a), isLibraryB = isLibrary(sides.candidate.b);
  if (isLibraryA && isLibraryB && (areOfOtherVariables(sides) || isNameless(sides))) return true;
  if (areOfSameMember(sides)) return false;
  auto hasField = [&](const WorldAccess &access) {
    uint32_t field = sides.world.entryOf(access).field;
    return field != 0 && !sides.world.environment.fields.isSpan(field);
  };
  bool hasFieldA = hasField(sides.a), hasFieldB = hasField(sides.b);
  bool isMemberForValue = isLibraryA != isLibraryB && hasFieldA != hasFieldB && hasFieldA == isLibraryA;
  return isMemberForValue || (isLibraryA && !hasFieldA) != (isLibraryB && !hasFieldB);
}

static bool isMaking(const Sides &sides) {
  const Candidate &candidate = sides.candidate;
  return isMaking(sides.world, candidate.a, candidate.meeting.b.thread) ||
         isMaking(sides.world, candidate.b, candidate.meeting.a.thread);
}

// Whoever has the future waits in the library, for a flag and a thread that it holds there.
static bool isTask(const Sides &sides) {
  const link::Program &program = sides.world.environment.program;
  const Candidate &candidate = sides.candidate;
  bool isTaskA = isTask(program, sides.threadA), isTaskB = isTask(program, sides.threadB);
  if (isTaskA == isTaskB) return false; // two tasks wait for nobody
  const Performer &task = isTaskA ? candidate.meeting.a : candidate.meeting.b;
  const Performer &other = isTaskA ? candidate.meeting.b : candidate.meeting.a;
  const std::vector<link::ThreadId> &creators = program.threads.list[task.thread].creators;
  if (std::ranges::find(creators, other.thread) == creators.end()) return false; // it has no future of it
  const Leaf &leaf = isTaskA ? candidate.b : candidate.a;
  return !sides.orders.tasks.isBeside(wayOf(sides, other, leaf), task.thread);
}

static bool isFar(const Sides &sides, const Performer &performer, const Leaf &leaf) {
  Way way = sides.reach.to(performer.thread, leaf.steps[0].function);
  for (size_t i = 0; i + 1 < leaf.steps.size(); ++i)
    way.bits += std::log2(static_cast<float>(sides.reach.widthOf(leaf.steps[i].function, leaf.steps[i].statement)));
  return isFarAway(way.bits, way.depth + leaf.steps.size());
}

static bool isWideCall(const Sides &sides) {
  return isFar(sides, sides.candidate.meeting.a, sides.candidate.a) ||
         isFar(sides, sides.candidate.meeting.b, sides.candidate.b);
}

static bool isContradicted(const Sides &sides) { return sides.candidate.isContradicted && !isWideCall(sides); }

// One side happens only until a flag is set, and it was before one of the threads was started.
static bool isDoneBefore(const Sides &sides) {
  const Meeting &meeting = sides.candidate.meeting;
  auto isDoneFor = [&](link::ThreadId thread, FlagId flag) {
    return sides.world.crews.at(thread).size() == 1 && sides.orders.done.isBefore(thread, flag);
  };
  auto isDone = [&](const Span &span) {
    return !span.isBusy && (isDoneFor(meeting.a.thread, span.flag) || isDoneFor(meeting.b.thread, span.flag));
  };
  return std::ranges::any_of(sides.knownA.spans, isDone) || std::ranges::any_of(sides.knownB.spans, isDone);
}

// Of the flag itself only if the other side has asked for it under the lock: who asks for it without, and sets it with one, has a race.
static bool isFirstTime(const Sides &sides) {
  const Conditions &conditions = sides.reach.conditions();
  const Node &object = sides.world.names.nodes[sides.a.lvalue.node];
  auto isFlag = [&](const Flag &flag) {
    return object.kind == NodeKind::Global && object.index == flag.variable.value() &&
           sides.a.lvalue.offset == flag.offset;
  };
  auto isOnlyOf = [&](const Known &one, const Performer &performer, const Known &other, const Leaf &leaf) {
    return std::ranges::any_of(one.spans, [&](const Span &span) {
      return !span.isBusy && !span.isPast && !containsSorted(other.spans, span) &&
             (!isFlag(conditions.flag(span.flag)) ||
              sides.orders.asked.isUnder(sides.world.locksets[performer.locks], span.flag, leaf));
    });
  };
  const Candidate &candidate = sides.candidate;
  return isOnlyOf(sides.knownA, candidate.meeting.a, sides.knownB, candidate.b) ||
         isOnlyOf(sides.knownB, candidate.meeting.b, sides.knownA, candidate.a) || isDoneBefore(sides);
}

static bool isBusy(const Sides &sides) {
  return std::ranges::any_of(sides.knownA.spans,
                             [&](const Span &span) { return span.isBusy && containsSorted(sides.knownB.spans, span); });
}

// Both have found the same number in what each thread has for itself.
static bool isSameNumber(const Sides &sides) {
  const Candidate &candidate = sides.candidate;
  if (sides.orders.numbers.isSame(sides.reach.conditions(), {candidate.meeting.a.thread, candidate.a.steps},
                                  {candidate.meeting.b.thread, candidate.b.steps}) ||
      sides.orders.sole.isSame(wayOf(sides, candidate.meeting.a, candidate.a),
                               wayOf(sides, candidate.meeting.b, candidate.b)))
    return true;
  return std::ranges::any_of(sides.knownA.facts.rows(), [&](const auto &row) {
    const auto &[flag, fact] = row;
    const Fact *other = sides.knownB.facts.find(flag);
    return fact.equal && other && *other == fact && sides.reach.conditions().isThreadLocal(flag);
  });
}

static bool isHandler(const Sides &sides) {
  return (sides.threadA.kind == link::ThreadKind::Signal) != (sides.threadB.kind == link::ThreadKind::Signal);
}

static bool isUnwinding(const Sides &sides) { return sides.candidate.isUnwinding; }

std::vector<finding::Demotion> demotionsOf(const World &world, Reach &reach, Orders &orders,
                                           const Candidate &candidate) {
  struct Filter {
    bool (*fires)(const Sides &);
    const char *reason;
    const char *why;
  };
  static constexpr Filter kFilters[] = {
#define FILTER(name, reason, why) {is##name, reason, why},
#include "analyse/filter/filters.def"
  };
  const link::Threads &threads = world.environment.program.threads;
  Sides sides{world,
              candidate,
              world.accesses[candidate.pair->a],
              world.accesses[candidate.pair->b],
              threads.list[candidate.meeting.a.thread],
              threads.list[candidate.meeting.b.thread],
              reach,
              orders};
  if (auto known = reach.knownAt(candidate.meeting.a.thread, candidate.a.steps)) sides.knownA = std::move(*known);
  if (auto known = reach.knownAt(candidate.meeting.b.thread, candidate.b.steps)) sides.knownB = std::move(*known);
  std::vector<finding::Demotion> demotions;
  for (const Filter &filter : kFilters)
    if (filter.fires(sides)) demotions.push_back({filter.reason, filter.why});
  return demotions;
}

} // namespace deadheat::analyse
