#include "runtime/schedule/strategy.h"

namespace deadheat::runtime::schedule {

namespace {

// By abi::StrategyId.
constexpr Choose kStrategies[] = {chooseRacefuzzer, chooseRandom,   choosePct,
                                  chooseReplay,     chooseDeadlock, chooseFollow};

} // namespace

U64 Random::next() {
  U64 value = state_ += 0x9e3779b97f4a7c15;
  value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9;
  value = (value ^ value >> 27) * 0x94d049bb133111eb;
  return value ^ value >> 31;
}

Choose strategyOf(abi::StrategyId id) {
  const U32 index = static_cast<U32>(id);
  return index < sizeof(kStrategies) / sizeof(kStrategies[0]) ? kStrategies[index] : chooseRandom;
}

void postpone(Choice &choice, Task &task) {
  task.postponed = true;
  task.heldSince = choice.control.points;
}

namespace {

// Where another one goes round until this one is done, each hold lasts as long as it may. Half as long each time, or a thousand
// of them are minutes.
void noteHeldInVain(Task &task) {
  constexpr U32 kHalvings = 8;
  if (task.longHolds != kHalvings) ++task.longHolds;
}

} // namespace

Task *releaseLongHeld(Choice &choice) {
  constexpr U64 kLongest = 20000; // points
  for (Task *task : choice.ready) {
    if (!task->postponed || choice.control.points - task->heldSince < kLongest >> task->longHolds) continue;
    task->postponed = false;
    task->released = true;
    noteHeldInVain(*task);
    return task;
  }
  return nullptr;
}

bool letsOthersFirst(const Choice &choice, const Task &task) {
  constexpr U64 kLongest = 500; // points
  return task.spins && choice.control.points - task.spinsSince < kLongest;
}

namespace {

// One that polls would keep the turn for ever.
bool hadItLong(const Choice &choice) {
  constexpr U64 kLongest = 20000; // points
  return choice.current && choice.control.points - choice.current->ranSince > kLongest;
}

// 0 at first, then one switch in 8 decisions, in 16, ...: so n decisions are about log n switches more.
U32 calmOf(const Choice &choice) {
  constexpr U64 kRestless = 2000, kCalmest = 256;
  if (choice.control.calm != 0) return choice.control.calm;
  const U64 calm = choice.contested / kRestless * 8;
  return static_cast<U32>(calm < kCalmest ? calm : kCalmest);
}

} // namespace

Task *anyOf(Choice &choice, TaskList &list) {
  const U32 calm = calmOf(choice);
  const bool tooLong = hadItLong(choice);
  if (calm == 0 || tooLong || (calm != ~U32(0) && choice.random.below(calm) == 0))
    return list[choice.random.below(list.count)];
  for (Task *task : list)
    if (task == choice.current) return task;
  return list[choice.control.calm == 0 ? choice.random.below(list.count) : 0];
}

namespace {

void splitReady(Choice &choice, TaskList &eager, TaskList &spinning) {
  for (Task *task : choice.ready) {
    if (task->postponed) continue;
    if (letsOthersFirst(choice, *task))
      spinning.add(task);
    else
      eager.add(task);
  }
}

// Where all have the same chance, who has the shorter way to its target is there first, and may hold a lock there that the other has to
// take on its way: they never meet. So in some runs each task has a random rank, and the highest runs.
bool isPartial(const Choice &choice) {
  constexpr U64 kOneIn = 3; // seeds
  return choice.control.calm == 0 && choice.control.seed % kOneIn == 0;
}

// Who had many points, and may be polling for what others would do, falls below all of them. Not only many in a row: one that wakes now and
// then would part them for ever.
Task *favourite(Choice &choice, TaskList &eager) {
  constexpr U32 kHigh = 1u << 30;
  constexpr U32 kMost = 5000; // points
  if (Task *current = choice.current; current && current->points - current->fellAt > kMost) {
    current->priority = kHigh - 1 - static_cast<U32>(choice.control.points % kHigh);
    current->fellAt = current->points;
  }
  Task *best = nullptr;
  for (Task *task : eager) {
    if (task->priority == 0) task->priority = kHigh + choice.random.below(kHigh);
    if (!best || task->priority > best->priority) best = task;
  }
  return best;
}

// How often those that spin go round before one that is held back is let go, on average. Who goes round may wait for it, or just compute on
// its way to where they would meet.
U32 spinsBeforeRelease(const Choice &choice) {
  constexpr U32 kFew = 4, kMany = 512;
  U32 inVain = 0;
  for (const Task *task : choice.ready)
    if (task->postponed && task->longHolds > inVain) inVain = task->longHolds;
  const U32 many = kMany >> inVain;
  return choice.control.patient && many > kFew ? many : kFew;
}

Task *chooseAmongSpinning(Choice &choice, TaskList &spinning) {
  if (spinning.count == choice.ready.count || choice.random.below(spinsBeforeRelease(choice)) != 0)
    return spinning[choice.random.below(spinning.count)];
  Task *freed = nullptr;
  while (!freed || !freed->postponed) freed = choice.ready[choice.random.below(choice.ready.count)];
  freed->postponed = false;
  if (choice.control.patient) noteHeldInVain(*freed);
  return freed;
}

} // namespace

Pick pick(Choice &choice, Task *(*breakStall)(Choice &)) {
  TaskList &eager = choice.scratch[0].clear(), &spinning = choice.scratch[1].clear();
  splitReady(choice, eager, spinning);
  if (eager.count != 0) return {isPartial(choice) ? favourite(choice, eager) : anyOf(choice, eager), false};
  return {spinning.count != 0 ? chooseAmongSpinning(choice, spinning) : breakStall(choice), true};
}

Task *usual(Choice &choice) {
  const bool tooLong = hadItLong(choice);
  Task *first = nullptr;
  for (Task *task : choice.ready) {
    if (task == choice.current && !task->spins && !tooLong) return task;
    if (!first || (first->spins && !task->spins)) first = task;
  }
  // All spin, or the one that runs had its turn: the next one, or the lowest number would go on for ever.
  if (first->spins || tooLong)
    for (Task *task : choice.ready)
      if (choice.current && task->number > choice.current->number) return task;
  return first;
}

} // namespace deadheat::runtime::schedule
