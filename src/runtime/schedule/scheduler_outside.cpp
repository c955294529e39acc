// The scheduler and what it does not decide: calls that wait in the kernel, threads that are no tasks, signals, the clock.

#include <fcntl.h>

#include "runtime/schedule/futex.h"
#include "runtime/schedule/scheduler.h"

namespace deadheat::runtime::schedule {

namespace {

// How long those that could run wait for a task that is outside, in real time. Whether it came in time is recorded, so
// a replay does not depend on it.
constexpr long kPatienceNanoseconds = 3000000;
constexpr U64 kClockCreep = 1000;
constexpr U64 kPointNanoseconds = 1000;
constexpr U32 kReplayPatience = 500,
              kStrayedPatience = 5;          // waits for a return, and once the program has left its schedule
constexpr U32 kLost = 8;                     // decisions that could not be taken, after which nobody waits
constexpr U32 kEnough = 4;                   // waits in vain for a task that is outside
constexpr U64 kHeldNanoseconds = 4000000000; // virtual, that may pass while threads are held back
constexpr U32 kLooks = 300;                  // each of kPatienceNanoseconds
constexpr U64 kAsleepNanoseconds = 2000000;  // without a step, after which a thread may be asleep
constexpr U64 kOnDiskNanoseconds = 10000000; // the same where it waits for a disk, which ends by itself
constexpr U64 kWatchNanoseconds = 1000000;   // between two watches

bool isAway(const Task &task) {
  return task.state == TaskState::Outside || task.state == TaskState::Blocked || task.state == TaskState::Running;
}

// Processor time of a thread, in nanoseconds.
U64 ownTime(U32 thread) {
  long time[2] = {0, 0};
  const long clock = (~static_cast<long>(thread) << 3) | 6; // CPUCLOCK_PERTHREAD | CPUCLOCK_SCHED of that thread
  if (isError(systemCall(__NR_clock_gettime, clock, time))) return 0;
  return static_cast<U64>(time[0]) * 1000000000 + static_cast<U64>(time[1]);
}

// What a thread does, by /proc: the letter behind the name, which is in brackets and may hold brackets.
char stateOf(U32 thread) {
  char path[64] = "/proc/self/task/", digits[16], text[512];
  U32 length = 16, count = 0;
  for (; thread != 0; thread /= 10) digits[count++] = static_cast<char>('0' + thread % 10);
  while (count != 0) path[length++] = digits[--count];
  __builtin_memcpy(path + length, "/stat", 6);
  const long file = systemCall(__NR_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
  if (isError(file)) return 0;
  long size = systemCall(__NR_read, file, text, sizeof(text));
  systemCall(__NR_close, file);
  while (size > 0 && text[size - 1] != ')') --size;
  return size > 0 && size + 1 < static_cast<long>(sizeof(text)) ? text[size + 1] : char(0);
}

bool sleepsInKernel(U32 thread, U64 since) {
  const char state = since >= kAsleepNanoseconds ? stateOf(thread) : char(0);
  return state == 'S' || (state == 'D' && since >= kOnDiskNanoseconds);
}

} // namespace

void Scheduler::leave(Task &self, const Operation &operation) {
  enter(self);
  self.next = operation;
  self.state = TaskState::Outside;
  self.inVain = 0;
  self.steps = 0;
  show(self);
  pass(isForOthers() ? monitor() : decide(false));
  unlock();
}

// Who leaves cannot wait for its own return. Where all that could run are held back, or would be, one of them decides, and may wait for it; so, at the same
// point, one does in a replay.
bool Scheduler::isForOthers() const {
  bool any = false, held = true;
  for (U32 index = 0; index != count_; ++index) {
    const Task &task = tasks_[index];
    if (task.state != TaskState::Ready) continue;
    any = true;
    held &= task.postponed || (task.next.side != 0 && !task.released);
  }
  return any && (held || control_->strategy == abi::StrategyId::Replay);
}

void Scheduler::comeBack(Task &self) {
  lock();
  self.state = TaskState::Back;
  if (self.forced) processors_.bind(self.thread);
  if (self.forced && self.spinsUntold) {
    spinPatience_.judge(ownTime(self.thread) - self.forcedAt);
    control_->spinNanoseconds = spinPatience_.now();
  }
  self.forced = self.spinsUntold = false;
  show(self);
  if (running_) {
    ++arrivals_;
    unlock();
    futexWake(arrivals_);
    return awaitTurn(self);
  }
  running_ = &self; // decides, so that others that come back meanwhile do not
  giveWay(self, true);
}

void Scheduler::recover(Task &self) {
  lock();
  const bool decides = running_ == &self && self.decides;
  self.turn = 0;
  self.decides = false;
  if (decides) running_ = nullptr;
  const bool runs = running_ == &self && self.state == TaskState::Running;
  unlock();
  if (!runs) comeBack(self);
}

U64 Scheduler::readClock() { return __atomic_add_fetch(&now_, kClockCreep, __ATOMIC_RELAXED); }

void Scheduler::takeBack() {
  if (control_->strategy == abi::StrategyId::Replay) return replayReturns();
  for (U32 index = 0; index != count_; ++index)
    if (tasks_[index].state == TaskState::Back) takeBack(tasks_[index]);
}

void Scheduler::takeBack(Task &task) {
  task.state = TaskState::Ready;
  now_ += task.slept;
  task.slept = 0;
  record(task, abi::DecisionKind::Return);
}

// Those, and only those, that had come back by this point.
void Scheduler::replayReturns() {
  for (U32 index = firstGiven(*control_, control_->points); index < control_->givenCount; ++index) {
    const abi::Decision &decision = control_->given[index];
    if (decision.point != control_->points) break;
    if (decision.kind != abi::DecisionKind::Return || decision.task == 0 || decision.task > count_) continue;
    Task &task = tasks_[decision.task - 1];
    const U64 strayed = control_->strayed;
    const U32 patience = strayed == 0 ? kReplayPatience : strayed < kLost ? kStrayedPatience : 0;
    for (U32 tries = 0; isAway(task) && tries < patience; ++tries) awaitReturn();
    if (task.state == TaskState::Back)
      takeBack(task);
    else if (task.state != TaskState::Ready)
      ++control_->strayed;
  }
}

// Nobody can run, and the schedule says what ended that: a return at a later point, which is now. Where it says nothing
// (one that was edited by hand), whoever comes back is welcome.
bool Scheduler::replayIdle() {
  if (control_->strategy != abi::StrategyId::Replay || ready_.count != 0) return false;
  for (U32 index = firstGiven(*control_, control_->points + 1); index < control_->givenCount; ++index) {
    if (control_->given[index].kind != abi::DecisionKind::Return) break;
    control_->points = control_->given[index].point;
    return true;
  }
  bool any = false;
  for (U32 index = 0; index != count_; ++index)
    if (tasks_[index].state == TaskState::Back) takeBack(tasks_[index]), any = true;
  return any;
}

// Waits a while for a task that is outside. True: one came back. With the lock, which it lets go meanwhile.
bool Scheduler::awaitReturn() {
  const bool world = mayBeWoken();
  if (countOf(TaskState::Outside) == 0 && !world) return false;
  const U32 seen = arrivals_;
  const long patience[2] = {0, kPatienceNanoseconds};
  unlock();
  futexWait(arrivals_, seen, patience);
  lock();
  if (world) lookAtObjects();
  for (U32 index = 0; index != count_ && arrivals_ == seen; ++index)
    if (tasks_[index].state == TaskState::Outside) ++tasks_[index].inVain;
  return arrivals_ != seen;
}

// A thread that waits for signals, or a server's for its next client, is out nearly all the time: to wait for it before each
// stall is broken would take longer than all the rest of the run.
bool Scheduler::isWorthWaiting() const {
  for (U32 index = 0; index != count_; ++index)
    if (tasks_[index].state == TaskState::Outside && tasks_[index].inVain < kEnough) return true;
  return false;
}

// Whether others than tasks may yet wake one that is blocked.
bool Scheduler::mayBeWoken() const {
  if (strangers_ || timers_) return true;
  if (!handlers_ || (looks_ >= kLooks && countOf(TaskState::Outside) == 0)) return false;
  for (U32 index = 0; index != count_; ++index)
    if (tasks_[index].state == TaskState::Blocked && tasks_[index].peek) return true;
  return false;
}

// What a handler released while we could not be told.
void Scheduler::lookAtObjects() {
  ++looks_;
  for (U32 index = 0; index != count_; ++index) {
    Task &task = tasks_[index];
    if (task.state != TaskState::Blocked || !task.peek || !task.peek(task.awaited)) continue;
    task.state = TaskState::Back;
    ++arrivals_;
    looks_ = 0;
  }
}

void Scheduler::wakeFromOutside(U64 object, U32 count) {
  lock();
  strangers_ = true;
  while (count-- != 0) {
    Task *longest = longestFor(object);
    if (!longest) break;
    longest->state = TaskState::Back;
    ++arrivals_;
  }
  if (!running_) pass(monitor());
  unlock();
  futexWake(arrivals_);
}

// Whether it waits for others without telling: asleep in the kernel, or in a loop.
bool Scheduler::waitsUntold(Task *task) {
  if (stillFor_ == 0 || !task || task->state != TaskState::Running || task->thread == 0) return false;
  if (countOf(TaskState::Done) + 1 == count_) return false; // for whom?
  task->spinsUntold = ownTime(task->thread) > stillSince_ + spinPatience_.now();
  return task->spinsUntold || sleepsInKernel(task->thread, stillFor_);
}

// It goes on beside the others, and comes back at its next step. Who spins waits for one of us, who may be held back: nobody waits for it,
// unless it may be one that computes after all.
void Scheduler::sendOut(Task &task) {
  task.next = {.action = Action::Outside};
  task.state = TaskState::Outside;
  task.inVain = !task.spinsUntold ? 0 : spinPatience_.isSure() ? kEnough : kEnough - 1;
  task.forced = true;
  task.forcedAt = ownTime(task.thread);
  processors_.free(task.thread); // it goes on beside the others
  show(task);
  pass(decide(false));
}

U64 Scheduler::watch() {
  lock();
  const bool over = countOf(TaskState::Done) == count_;
  const U64 now = control_->points + __atomic_load_n(&control_->steps, __ATOMIC_RELAXED);
  if (now != watched_) stillFor_ = 0;
  if (waitsUntold(running_)) sendOut(*running_);
  if (stillFor_ == 0 && running_) stillSince_ = ownTime(running_->thread);
  stillFor_ += kWatchNanoseconds;
  watched_ = now;
  unlock();
  return over ? 0 : kWatchNanoseconds;
}

// The one that wakes first of those that wait for the clock; null: none.
Task *Scheduler::sleeper() {
  Task *first = nullptr;
  for (U32 index = 0; index != count_; ++index) {
    Task &task = tasks_[index];
    if (task.state == TaskState::Blocked && task.deadline != kNever && (!first || task.deadline < first->deadline))
      first = &task;
  }
  return first;
}

// Time passes with every point: who sleeps wakes even if others never rest.
void Scheduler::wakeDue() {
  now_ += kPointNanoseconds;
  for (U32 index = 0; index != count_; ++index) {
    Task &task = tasks_[index];
    if (task.state != TaskState::Blocked || task.deadline > now_) continue;
    task.state = TaskState::Ready;
    task.timedOut = true;
  }
}

// The clock moves on to the first deadline. False: there is none. `chosen`: something else could have happened, so it is
// part of the schedule.
bool Scheduler::advanceClock(bool chosen) {
  Task *first = sleeper();
  if (!first) return false;
  if (now_ < first->deadline) now_ = first->deadline;
  control_->virtualNanoseconds = now_;
  if (chosen) record(*first, abi::DecisionKind::Timeout);
  first->state = TaskState::Ready;
  first->timedOut = true;
  return true;
}

bool Scheduler::sleepersMayRun() {
  return patience_ != 0 && control_->heldNanoseconds <= kHeldNanoseconds && sleeper();
}

// All that are ready are held back: before one is let go, those that sleep have their chance to come by. What passes meanwhile is kept:
// whoever gives up waiting for one that is held does so because of us. So it is not much, in all: a database that is locked for a minute fails.
bool Scheduler::letSleepersRun() {
  if (!sleepersMayRun()) return false;
  --patience_;
  const U64 before = now_;
  advanceClock(true);
  control_->heldNanoseconds += now_ - before;
  return true;
}

void Scheduler::replayTimeouts() {
  if (control_->strategy == abi::StrategyId::Follow && ownGiven(*control_, *last_, abi::DecisionKind::Timeout))
    advanceClock(true);
  if (control_->strategy != abi::StrategyId::Replay) return;
  for (U32 index = firstGiven(*control_, control_->points); index < control_->givenCount; ++index) {
    if (control_->given[index].point != control_->points) return;
    if (control_->given[index].kind == abi::DecisionKind::Timeout) advanceClock(true);
  }
}

// Somebody who stands still anyway decides in the place of one that cannot wait.
Task *Scheduler::monitor() {
  const bool world = mayBeWoken();
  for (U32 index = 0; index != count_; ++index) {
    Task &task = tasks_[index];
    const bool waits = task.state == TaskState::Blocked && (world || task.deadline != kNever);
    if (task.state != TaskState::Ready && task.state != TaskState::Back && !waits) continue;
    task.decides = true;
    return &task;
  }
  return nullptr;
}

} // namespace deadheat::runtime::schedule
