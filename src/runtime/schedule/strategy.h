// Who runs next. A strategy sees the tasks that could run and names one of them; the scheduler does the rest. To add one:
// a file with a `choose`, a row in strategy.cpp, a name in abi::StrategyId.
//
// Everything that decides is counted in points and steps or drawn from the seed: never taken from the clock.
#pragma once

#include "runtime/schedule/task.h"

namespace deadheat::runtime::schedule {

// SplitMix64: every seed is good, 0 too.
class Random {
public:
  constexpr explicit Random(U64 seed) : state_(seed) {}
  U64 next();
  U32 below(U32 bound) { return static_cast<U32>((static_cast<unsigned __int128>(next()) * bound) >> 64); }

private:
  U64 state_;
};

// Tasks in order of their numbers; at most kMaxTasks.
struct TaskList {
  Task *tasks[abi::kMaxTasks] = {};
  U32 count = 0;

  TaskList &clear() { return count = 0, *this; }
  void add(Task *task) { tasks[count++] = task; }
  Task **begin() { return tasks; }
  Task **end() { return tasks + count; }
  Task *operator[](U32 index) const { return tasks[index]; }
};

struct Choice {
  abi::Control &control;
  TaskList &ready; // not empty
  Task *current;   // who ran; not always among the ready ones
  Random &random;
  TaskList (&scratch)[3]; // not on the stack: a thread of the user's may have little of it
  U64 contested;          // decisions so far in which there was a choice
  bool mayWait;           // others are outside or asleep and may yet come by: `choose` may return null to wait for them
};

// May mark tasks (postponed, priority).
using Choose = Task *(*)(Choice &choice);

Choose strategyOf(abi::StrategyId id);

Task *chooseRacefuzzer(Choice &choice);
Task *chooseRandom(Choice &choice);
Task *choosePct(Choice &choice);
Task *chooseReplay(Choice &choice);
Task *chooseDeadlock(Choice &choice);
Task *chooseFollow(Choice &choice);

// A task is held back before its target. Not for ever: others may run on without need of it, or poll for what it would do.
void postpone(Choice &choice, Task &task);
// One whose time is over goes on, at once: null if there is none.
Task *releaseLongHeld(Choice &choice);

// Whether it spins, and others go first. Not for ever: who only computes looks the same, and another may poll for what it will do.
bool letsOthersFirst(const Choice &choice, const Task &task);

// One of a list, at random; or, in a calm run, mostly the one that runs. A long run grows calm: millions of atomic operations would be millions of
// switches, each as long as a thousand of them.
Task *anyOf(Choice &choice, TaskList &list);

// One that is neither held back nor spinning. Where there is none, who goes instead, and that is final: one that spins, or now and
// then one that is held back, for which it may wait; `breakStall` says who, where all are held back.
struct Pick {
  Task *task;
  bool isFinal;
};
Pick pick(Choice &choice, Task *(*breakStall)(Choice &));

// The schedule that is replayed: index of the first decision at or after a point, and the one of a kind at a point.
U32 firstGiven(const abi::Control &control, U64 point);
const abi::Decision *givenAt(const abi::Control &control, U64 point, abi::DecisionKind kind);

// The same by who ran and its own points; null: there is none.
const abi::Decision *ownGiven(const abi::Control &control, const Task &last, abi::DecisionKind kind);

// Without a decision: the task that ran goes on, or else the first. One that spins lets all others go first; one that had the turn for
// very long, the next.
Task *usual(Choice &choice);

} // namespace deadheat::runtime::schedule
