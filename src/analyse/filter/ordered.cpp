#include "analyse/filter/ordered.h"

#include <algorithm>

namespace deadheat::analyse {

link::Location placeOf(const World &world, const HeldLock &seen) {
  return world.names.info[seen.lock.node.value()].points.moved(seen.lock.offset);
}

bool tells(const World &world, const Told &all, link::ThreadId thread, link::Location signal) {
  auto told = all.find(thread);
  return told != all.end() && std::ranges::any_of(told->second, [&](link::Location other) {
           return world.foundOut.local().places.mayAlias(signal, 1, other, 1);
         });
}

// Something that the thread tells was waited for, or seen.
static bool isAfterWhatTells(const World &world, const Performer &performer, link::ThreadId thread) {
  return std::ranges::any_of(world.locksets[performer.locks], [&](const HeldLock &seen) {
    return seen.mode == LockMode::After && !seen.turn &&
           (tells(world, world.counts, thread, placeOf(world, seen)) ||
            tells(world, world.signals, thread, placeOf(world, seen)));
  });
}

// A semaphore that is waited for before and posted after is a lock.
static bool hasSeen(const World &world, const Performer &performer, link::Location signal) {
  return std::ranges::any_of(world.locksets[performer.locks], [&](const HeldLock &seen) {
    return seen.mode == LockMode::After && world.foundOut.local().places.mayAlias(placeOf(world, seen), 1, signal, 1);
  });
}

// The same bytes in each round: a variable, no element of it, or an object that another thread has made, or this one before the rounds.
static bool isSameInRounds(const World &world, Signals &signals, const Side &side) {
  const Node &object = world.names.nodes[side.access.lvalue.node];
  if (object.kind == NodeKind::Global) return true;
  if (object.kind != NodeKind::Heap && object.kind != NodeKind::Stack) return false;
  const auto makers = world.environment.program.threads.executing[link::FuncId(object.owner)];
  if (!makers.empty() && !std::ranges::binary_search(makers, side.performer.thread)) return true;
  return object.kind == NodeKind::Heap &&
         signals.isMadeBefore(side.leaf, link::FuncId(object.owner), model::StatementId(object.index));
}

// One wait is for one of them: whoever is first.
static bool isToldBySeveral(const World &world, link::ThreadId teller, link::Location signal) {
  if (world.environment.program.threads.list[teller].many) return true;
  return std::ranges::any_of(world.crews, [&](const auto &crew) {
    return crew.first != teller && tells(world, world.signals, crew.first, signal);
  });
}

// What the other side has seen may have been told in another round, and a semaphore that it has waited for by another thread than this one.
static bool mayBeAhead(const World &world, Signals &signals, const Side &earlier, const Side &later,
                       link::Location signal, const Signals::Order &order) {
  const link::ThreadId teller = earlier.performer.thread;
  if (!order.isKnown || teller == later.performer.thread || !isSameInRounds(world, signals, earlier)) return false;
  if (!signals.isPosted(signal)) return order.isAgain;
  if (signals.isBehindWaits(later.leaf)) return false;
  return order.isAwake || (isToldBySeveral(world, teller, signal) && !hasSeen(world, earlier.performer, signal));
}

// A function on the way, or one that it calls, updates an atomic: it may have claimed one of many things.
static bool mayHaveClaimed(const World &world, const Leaf &leaf) {
  const link::Program &program = world.environment.program;
  const AtomicSteps &atomics = world.environment.atomicSteps;
  return std::ranges::any_of(leaf.steps, [&](const Step &step) {
    return atomics.areUpdatedIn(step.function) ||
           std::ranges::any_of(world.environment.summary(step.function).calls, [&](const CallRecord &call) {
             return std::ranges::any_of(calleesOf(program.calls, call), [&](link::FuncId callee) {
               const link::Function &called = program.function(callee);
               return !called.known && !called.external() && atomics.areUpdatedIn(callee);
             });
           });
  });
}

// Both have waited for a semaphore that lets in several, for a thing that is one for all: one of many that was given to each is another matter.
static bool isWithinBesideOthers(const World &world, Signals &signals, const Side &side, link::Location signal) {
  return signals.letsInSeveral(signal) && hasSeen(world, side.performer, signal) &&
         isSameInRounds(world, signals, side) && !mayHaveClaimed(world, side.leaf);
}

// Who waits for a count or a flag under a lock comes after what was done before it was written last: who writes it again and again waits
// for the other one in between. Of atomics it has to do that they are not told before the access, and never after it.
static bool isBefore(const World &world, Signals &signals, const Side &earlier, const Side &later,
                     link::Location signal) {
  const link::ThreadId teller = earlier.performer.thread, other = later.performer.thread;
  const bool isAtomic = tells(world, world.signals, teller, signal);
  if (!isAtomic && (teller == other || !tells(world, world.counts, teller, signal))) return false;
  const Signals::Order order = signals.of(earlier.leaf, teller, signal);
  if (isWithinBesideOthers(world, signals, earlier, signal)) return false;
  if (!isAtomic)
    return order.isKnown && order.follows &&
           (!order.precedes || (!order.isAwake && isAfterWhatTells(world, earlier.performer, other)));
  return (!order.isKnown || order.follows || !order.precedes) &&
         !mayBeAhead(world, signals, earlier, later, signal, order);
}

// What is mutual (a barrier) orders only who is behind it and who is not. The signal itself is not ordered by what it tells.
bool comesAfter(const World &world, Signals &signals, const Side &later, const Side &earlier) {
  const HeldLocks &others = world.locksets[earlier.performer.locks];
  return std::ranges::any_of(world.locksets[later.performer.locks], [&](const HeldLock &seen) {
    if (seen.mode != LockMode::After || seen.turn) return false;
    if (seen.weak && std::ranges::find(others, seen) != others.end()) return false;
    link::Location signal = placeOf(world, seen);
    if (signals.isOfTask(earlier.performer.thread, signal)) return false;
    if (seen.weak && signals.isBarrier(signal) && signals.comesRound(later.leaf, earlier.leaf, signal)) return false;
    return seen.lock != earlier.access.lvalue && isBefore(world, signals, earlier, later, signal);
  });
}

} // namespace deadheat::analyse
