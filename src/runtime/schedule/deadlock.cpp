// Drives tasks into a circle of locks, after the idea of DeadlockFuzzer (Joshi, Park, Sen, Naik: PLDI 2009).
//
// A task is held back before it takes the outer lock of an edge (first side) and again, holding that, before the inner one
// (second side). When nothing else can run, those before outer locks are let go together, so that each gets its own, and
// when several stand before inner locks, those are: then each waits for the next.
//
// Differs from the paper: it yields only before inner acquisitions and lets a thread go at random when it thrashes. Held there, with the
// outer lock, a thread stops all others that need that lock, so that the second one may never come; before the outer lock it
// stops nobody. The scheduler, not the strategy, sees that the circle is closed.
#include "runtime/schedule/strategy.h"

namespace deadheat::runtime::schedule {

namespace {

bool isInner(const Task &task) { return (task.next.side & abi::kSecondSide) != 0 && task.holds != 0; }
bool isOuter(const Task &task) { return (task.next.side & abi::kFirstSide) != 0 && !isInner(task); }

Task *letGo(TaskList &list, Random &random) {
  for (Task *task : list) {
    task->postponed = false;
    task->released = true;
  }
  return list[random.below(list.count)];
}

Task *breakStall(Choice &choice) {
  if (choice.mayWait) return nullptr;
  TaskList &outer = choice.scratch[0].clear(), &inner = choice.scratch[1].clear();
  for (Task *task : choice.ready) (isInner(*task) ? inner : outer).add(task);
  const bool closes = inner.count > 1, gathers = outer.count > 1 || (outer.count != 0 && inner.count != 0);
  // With both, a circle of two is ready to close and a longer one is not: either may be right.
  if (closes && (!gathers || choice.random.below(2) == 0)) return letGo(inner, choice.random);
  if (gathers) return letGo(outer, choice.random);
  return letGo(choice.ready, choice.random);
}

} // namespace

Task *chooseDeadlock(Choice &choice) {
  if (Task *released = releaseLongHeld(choice)) return released;
  for (;;) {
    auto [task, isFinal] = pick(choice, breakStall);
    if (isFinal) return task;
    if (task->released || !(isInner(*task) || isOuter(*task))) return task;
    postpone(choice, *task);
  }
}

} // namespace deadheat::runtime::schedule
