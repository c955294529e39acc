// Algorithm 1 of "Race Directed Random Testing of Concurrent Programs" (Sen, PLDI 2008).
//
// A task whose next operation is a target is postponed until another one stands before the opposite target on the same address: a
// real race. Then a coin decides which goes first. Algorithm 2 (Racing) is inRace() in task.h.
//
// Differs from the paper: tasks that spin let others go first, and a stall in which all that is left to run spins is broken like one in
// which all are postponed. In one run of three, tasks have random ranks and the highest runs, instead of any (strategy.cpp, isPartial).
// If a candidate is not hit for a while, one in two that come to a target is let pass in every other run.
// Where tasks are outside (in a blocking call) the last postponed ones wait for them for a while.
#include "runtime/schedule/strategy.h"

namespace deadheat::runtime::schedule {

namespace {

// R of Algorithm 1: the postponed ones in race with `task`.
void racing(TaskList &ready, const Task &task, TaskList &found) {
  for (Task *other : ready)
    if (other != &task && other->postponed && inRace(task.next, other->next)) found.add(other);
}

bool arrivedGoesFirst(Choice &choice, const Task &arrived) {
  const U32 wanted = choice.control.resolve;
  const bool both = arrived.next.side == (abi::kFirstSide | abi::kSecondSide);
  if (wanted == 0 || both) return choice.random.below(2) == 0;
  return arrived.next.side == wanted;
}

// Where all wait before one side, what only a later one of them would have done may be missing: nobody comes to the other side.
bool isLetPass(Choice &choice) { return choice.control.lax != 0 && choice.random.below(2) == 0; }

// Line 26 of Algorithm 1: all are postponed, so one of them is let go.
Task *breakStall(Choice &choice) {
  if (choice.mayWait) return nullptr;
  Task *freed = anyOf(choice, choice.ready);
  freed->postponed = false;
  return freed;
}

} // namespace

Task *chooseRacefuzzer(Choice &choice) {
  if (Task *released = releaseLongHeld(choice)) return released;
  for (;;) {
    auto [task, isFinal] = pick(choice, breakStall);
    if (isFinal) return task;
    if (task->next.side == 0 || task->released) return task;
    TaskList &found = choice.scratch[2].clear();
    racing(choice.ready, *task, found);
    if (found.count != 0 && arrivedGoesFirst(choice, *task)) return task;
    if (found.count == 0 && isLetPass(choice)) {
      task->released = true;
      return task;
    }
    postpone(choice, *task);
    if (found.count == 0) continue;
    for (Task *other : found) {
      other->postponed = false;
      other->released = true;
    }
    return found[0];
  }
}

} // namespace deadheat::runtime::schedule
