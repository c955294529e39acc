// One thread of the program runs at a time, and a strategy says which.
//
// A thread calls `reach` before each operation that others may see: there it stands, its operation known to all, until it is chosen.
// Operations that block are tried by the thread itself while it is the only one that runs; if they fail it calls `block`, and
// whoever does what it waits for calls `wake`. So the scheduler needs no model of each primitive, only of who waits
// for which object, and "nobody can run" is a real deadlock.
//
//   reach     stand before an operation, go on when chosen
//   block     wait for `wake` on an object, or for the virtual clock
//   leave     enter a call that blocks in the kernel; `comeBack` when it returns
//   step      a hook without synchronisation: counts, so that a thread that spins is seen
//
// The world outside may also wake a task that is blocked: a thread that is no task, a signal handler, another process. Where that can
// be, "nobody can run" is not the end; how it went is recorded as a return.
//
// Claim   Between two calls of a task no other task runs, except those that are outside. The same decisions give the same
//         run, as long as the program itself is deterministic and returns from outside calls are too (these are recorded).
// Assumes every thread of the program is a task; those beyond kMaxTasks run free, and the controller is told.
// Cost    A point at which the task goes on costs a few hundred cycles; a switch, two system calls.
// Misses  Switches between two accesses that are neither targets nor followed by `stepLimit` hooks: by design, as in the paper.
#pragma once

#include "runtime/schedule/holders.h"
#include "runtime/schedule/ordering.h"
#include "runtime/schedule/processors.h"
#include "runtime/schedule/spin_patience.h"
#include "runtime/schedule/strategy.h"

namespace deadheat::runtime::schedule {

class Scheduler {
public:
  // `control` outlives the scheduler. The calling thread becomes task 1 and runs.
  void start(abi::Control &control, Task *&self);

  // A new task, ready to start; null: too many. The thread itself calls `begin` first.
  Task *spawn(U64 place);
  void begin(Task &self);
  void end(Task &self);
  // The thread of a new task could not be made.
  void giveUp(Task &task);

  void reach(Task &self, const Operation &operation);
  // False: the deadline came first. `peek`: whether the object can be had, if others than tasks may see to that.
  bool block(Task &self, U64 object, U64 deadline = kNever, bool (*peek)(U64) = nullptr) {
    announce(self, object, deadline, peek);
    return rest(self);
  }
  // The same in two steps: from the first on it can be woken, what it does until the second is done. One that the watch had sent out
  // does not wait: what it waits for may have come while it was on its way here.
  void announce(Task &self, U64 object, U64 deadline, bool (*peek)(U64) = nullptr);
  bool rest(Task &self);
  // At most `count` tasks that wait for the object, those first that wait longest.
  void wake(Task &self, U64 object, U32 count = kAll);
  // A blocked task goes on as if it had been woken, to look for itself (cancellation).
  void interrupt(Task &task);
  void leave(Task &self, const Operation &operation);
  void comeBack(Task &self);
  // The task left a wait or a call without returning from it (a cancellation, a jump out of a handler): it waits for its turn first.
  void recover(Task &self);

  // Somebody who is no task did what tasks may wait for.
  void wakeFromOutside(U64 object, U32 count = kAll);
  // Threads that are no tasks take part from now on.
  void expectStrangers() { strangers_ = true; }
  // Signals may come whose handlers do such things: soon, from a timer, or perhaps.
  void expectSignals(bool soon) { (soon ? timers_ : handlers_) = true; }

  // Called now and then from a thread of its own: whether the one that runs waits in a call that we do not know, or in a loop that tells
  // nothing, and others could run. How many nanoseconds until the next time; 0: all tasks have ended.
  U64 watch();

  void step(Task &self) {
    ++control_->steps;
    if (++self.steps >= control_->stepLimit) [[unlikely]]
      spin(self);
  }

  // The task waits for others by itself: they go first, for a while.
  void startSpinning(Task &self);

  // The task executes a target, on so many bytes.
  void count(const Task &self, U32 target, U64 address, U64 bytes);

  // The task has a lock, or gives it up; null: the calling thread is no task.
  void hold(Task &self, U64 object);
  void letGo(Task *self, U64 object);

  // What one task does at an object another one may learn there: that orders them.
  void publish(Task &self, U64 object) { ordering_.publish(self, object); }
  void observe(Task &self, U64 object) { ordering_.observe(self, object, self.next.action, self.next.place); }
  void observeEnd(Task &self, const Task &ended) { ordering_.pass(ended, self, Action::Join, self.next.place); }

  U64 now() const { return now_; }
  // The clock creeps on with every look at it: a loop that waits for it ends.
  U64 readClock();

  const Processors &processors() const { return processors_; }

  static constexpr U32 kAll = ~U32(0);

private:
  static constexpr U32 kPatience = 16;
  static constexpr U32 kRepeats = 16; // of one operation, after which a task is taken to spin

  void lock();
  bool enter(Task &self);
  void wakeUp(U64 object, U32 count);
  bool freeBlocked();
  bool isMissed(const Task &ended) const;
  bool isFreed(const Task &task) const {
    return task.state == TaskState::Blocked && task.peek && task.peek(task.awaited);
  }
  void unlock();
  void spin(Task &self);
  void noteRace(const Task &arrived);
  static void stopHere();
  void countTarget(const Task &task);
  Task *decide(bool mayWait);
  Task *pick(bool mayWait);
  void takeBack();
  void takeBack(Task &task);
  void replayReturns();
  bool replayIdle();
  bool awaitReturn();
  bool mayBeWoken() const;
  void lookAtObjects();
  bool waitsUntold(Task *task);
  void sendOut(Task &task);
  void wakeDue();
  bool looksInVain(Task &self, const Operation &operation);
  void noteRepeat(Task &self, const Operation &operation);
  Task *sleeper();
  Task *longestFor(U64 object);
  bool advanceClock(bool chosen);
  bool sleepersMayRun();
  bool letSleepersRun();
  void replayTimeouts();
  Task *monitor();
  bool isForOthers() const;
  void choose(Task &task);
  void pass(Task *next);
  void record(const Task &task, abi::DecisionKind kind);
  void noteSwitch(const Task &from, const Task &to);
  void giveWay(Task &self, bool mayWait);
  void awaitTurn(Task &self);
  void lookForCycle(const Task &self);
  [[noreturn]] void deadlock();
  void show(const Task &task);
  U32 countOf(TaskState state) const;
  bool isWorthWaiting() const;

  abi::Control *control_ = nullptr;
  Choose choose_ = nullptr;
  Random random_{0};
  U32 lock_ = 0;
  U32 arrivals_ = 0; // futex: grows when a task comes back
  U32 count_ = 0;
  U32 patience_ = kPatience; // how often sleepers may still run before one that is held back is let go
  U64 switchesAfterHit_ = 0;
  U64 contested_ = 0; // decisions with more than one task to choose from
  U64 now_ = 0;
  Task *running_ = nullptr; // null: all are blocked or outside, and the next that comes back decides
  Task *last_ = nullptr;    // who ran last
  Task tasks_[abi::kMaxTasks] = {};
  TaskList ready_;
  TaskList scratch_[3];
  Holders holders_;
  Ordering ordering_;
  bool inCycle_[abi::kMaxTasks] = {};
  bool strangers_ = false; // threads that are no tasks take part
  bool timers_ = false, handlers_ = false;
  U32 looks_ = 0;      // in vain, for what only a signal could bring
  U64 watched_ = 0;    // points and steps at the last watch
  U64 stillFor_ = 0;   // nanoseconds since they last changed, about
  U64 stillSince_ = 0; // the running thread's own time then
  SpinPatience spinPatience_;
  Processors processors_;
};

} // namespace deadheat::runtime::schedule
