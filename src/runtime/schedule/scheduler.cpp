#include "runtime/schedule/scheduler.h"

#include "runtime/schedule/futex.h"

namespace deadheat::runtime::schedule {

namespace {

// With what lies around it.
U64 valueAt(U64 address) { return *reinterpret_cast<const volatile U64 *>(address & ~U64(7)); }

// In pieces of eight bytes, each a bit; of a long range all bits, as nearly all would be set anyway.
void addAddresses(abi::AddressBits &bits, U64 address, U64 bytes) {
  constexpr U64 kLong = 512;
  if (bytes > kLong)
    for (U64 &word : bits.words) word = ~U64(0);
  for (U64 piece = address / 8; bytes <= kLong && piece * 8 < address + (bytes != 0 ? bytes : 1); ++piece) {
    const U64 hash = piece * 0x9e3779b97f4a7c15 >> 56;
    bits.words[hash / 64] |= U64(1) << hash % 64;
  }
}

} // namespace

void Scheduler::lock() {
  while (__atomic_exchange_n(&lock_, 1u, __ATOMIC_ACQUIRE) != 0) systemCall(__NR_sched_yield);
}

// The watch may have sent it out since it last looked: then it comes back first, or two would run as if each were alone. True: so it was.
bool Scheduler::enter(Task &self) {
  bool wasOut = false;
  for (lock(); self.forced; lock()) {
    unlock();
    comeBack(self);
    wasOut = true;
  }
  return wasOut;
}

void Scheduler::unlock() { __atomic_store_n(&lock_, 0u, __ATOMIC_RELEASE); }

void Scheduler::start(abi::Control &control, Task *&self) {
  control_ = &control;
  choose_ = strategyOf(control.strategy);
  random_ = Random(control.seed);
  if (control.hasty) patience_ = 0;
  if (control.spinNanoseconds != 0) spinPatience_ = SpinPatience(control.spinNanoseconds);
  if (control.processor != 0) processors_.stayOn(control.processor - 1);
  self = spawn(0);
  self->state = TaskState::Running;
  running_ = last_ = self;
}

Task *Scheduler::spawn(U64 place) {
  lock();
  Task *task = nullptr;
  if (count_ < abi::kMaxTasks) {
    task = &tasks_[count_++];
    *task = Task{};
    task->number = count_;
    task->state = TaskState::Ready;
    control_->taskCount = count_;
    control_->tasks[task->number - 1].creation = place;
    if (running_) ordering_.pass(*running_, *task, Action::Spawn, place);
    show(*task);
  } else {
    ++control_->refused;
    strangers_ = true;
  }
  unlock();
  return task;
}

void Scheduler::begin(Task &self) { awaitTurn(self); }

// It may have been given the turn, if making it took long.
void Scheduler::giveUp(Task &task) {
  lock();
  const bool hasTurn = running_ == &task;
  task.state = TaskState::Done;
  task.decides = false;
  if (hasTurn) pass(decide(false));
  unlock();
}

void Scheduler::end(Task &self) {
  enter(self);
  self.state = TaskState::Done;
  self.next = {.action = Action::End};
  show(self);
  wakeUp(reinterpret_cast<U64>(&self), kAll);
  if (isMissed(self)) expectSignals(false), looks_ = 0; // of a robust mutex the kernel will say that its owner died
  pass(decide(false));
  unlock();
}

// Whether others wait for what the task has and will not give back.
bool Scheduler::isMissed(const Task &ended) const {
  for (U32 index = 0; index != count_ && ended.holds != 0; ++index) {
    const Task &task = tasks_[index];
    if (task.state == TaskState::Blocked && task.peek && holders_.holderOf(task.awaited) == ended.number) return true;
  }
  return false;
}

void Scheduler::reach(Task &self, const Operation &operation) {
  if (looksInVain(self, operation)) return;
  enter(self);
  noteRepeat(self, operation);
  self.next = operation;
  self.state = TaskState::Ready;
  self.steps = 0;
  noteRace(self);
  giveWay(self, true);
  countTarget(self);
}

// Loops that wait for an atomic variable a million times before they give up would be a million decisions. One that was chosen although it
// waits goes round a while: nobody else runs, so nothing can change, and the count of rounds is the same in a replay.
bool Scheduler::looksInVain(Task &self, const Operation &operation) {
  if (self.ride == 0) return false;
  const bool same = operation.action == Action::Atomic && operation.side == 0 && operation.object == self.next.object &&
                    valueAt(operation.object) == self.value;
  self.ride = same ? self.ride - 1 : 0;
  return self.ride != 0;
}

// A loop that waits for an atomic variable: it comes to the same one again and again, and finds it as it was.
void Scheduler::noteRepeat(Task &self, const Operation &operation) {
  if (operation.action != Action::Atomic || operation.object == 0) {
    self.repeats = 0;
    return;
  }
  const U64 value = valueAt(operation.object);
  const bool same = self.next.action == Action::Atomic && operation.object == self.next.object && value == self.value;
  self.repeats = same ? self.repeats + 1 : 0;
  self.value = value;
  if (self.repeats >= kRepeats) startSpinning(self);
}

void Scheduler::announce(Task &self, U64 object, U64 deadline, bool (*peek)(U64)) {
  if (enter(self)) return unlock();
  self.state = TaskState::Blocked;
  self.peek = peek;
  self.awaited = object;
  self.deadline = deadline;
  self.since = control_->points;
  self.timedOut = false;
  show(self);
  unlock();
}

// If a handler of a signal stood before something meanwhile, it went on: that woke it.
bool Scheduler::rest(Task &self) {
  lock();
  if (self.state == TaskState::Running) return unlock(), true;
  if (self.state == TaskState::Blocked) lookForCycle(self);
  giveWay(self, true);
  return !self.timedOut;
}

// Of those that wait for an object.
Task *Scheduler::longestFor(U64 object) {
  Task *longest = nullptr;
  for (U32 index = 0; index != count_; ++index) {
    Task &task = tasks_[index];
    if (task.state == TaskState::Blocked && task.awaited == object && (!longest || task.since < longest->since))
      longest = &task;
  }
  return longest;
}

// Not while others run: one of them may be about to wait for it.
void Scheduler::wake(Task &self, U64 object, U32 count) {
  enter(self);
  wakeUp(object, count);
  unlock();
}

void Scheduler::wakeUp(U64 object, U32 count) {
  while (count-- != 0) {
    Task *longest = longestFor(object);
    if (!longest) break;
    longest->state = TaskState::Ready;
    longest->spins = false;
    show(*longest);
  }
}

// Those for whom what they wait for is there, though nobody said so: a thread left its locks as it unwound, a handler released them.
bool Scheduler::freeBlocked() {
  bool any = false;
  for (U32 index = 0; index != count_; ++index) {
    if (!isFreed(tasks_[index])) continue;
    tasks_[index].state = TaskState::Ready;
    any = true;
  }
  return any;
}

void Scheduler::interrupt(Task &task) {
  lock();
  if (task.state == TaskState::Blocked) task.state = TaskState::Ready;
  unlock();
}

// Gives the turn to whom the strategy names, and waits for the next one of its own. Enters with the lock, returns without.
void Scheduler::giveWay(Task &self, bool mayWait) {
  Task *next = decide(mayWait);
  if (next == &self && !self.decides) {
    running_ = next;
    choose(self);
    unlock();
    return;
  }
  pass(next);
  unlock();
  awaitTurn(self);
}

// A task may be woken to decide in the place of one that cannot wait.
void Scheduler::awaitTurn(Task &self) {
  for (;;) {
    while (__atomic_load_n(&self.turn, __ATOMIC_ACQUIRE) == 0) futexWait(self.turn, 0, nullptr);
    lock();
    self.turn = 0;
    const bool decides = self.decides;
    self.decides = false;
    if (!decides) {
      unlock();
      return;
    }
    pass(decide(true));
    unlock();
  }
}

void Scheduler::choose(Task &task) {
  if (last_ != &task) {
    noteSwitch(*last_, task);
    task.ranSince = control_->points;
  }
  task.state = TaskState::Running;
  constexpr U32 kRounds = 256;
  task.ride = task.repeats >= kRepeats ? kRounds : 0;
  task.postponed = task.released = task.spins = false;
  task.steps = 0;
  last_ = &task;
  show(task);
}

// The turn goes to `next`, to run or to decide; null: to nobody. With the lock.
void Scheduler::pass(Task *next) {
  running_ = next;
  if (!next) return;
  if (!next->decides) choose(*next);
  __atomic_store_n(&next->turn, 1u, __ATOMIC_RELEASE);
  futexWake(next->turn);
}

// The next task to run; null: none can, and whoever comes back decides. With the lock, which is let go while it waits.
Task *Scheduler::decide(bool mayWait) {
  ++control_->points;
  ++last_->points;
  wakeDue();
  takeBack();
  replayTimeouts();
  for (;; takeBack()) {
    Task *next = pick(mayWait);
    if (next) return next;
    if (ready_.count != 0 && letSleepersRun()) continue;
    const bool outside = countOf(TaskState::Outside) + countOf(TaskState::Back) != 0;
    if (outside && mayWait && replayIdle()) continue;
    if (ready_.count == 0 && !outside) {
      if (advanceClock(false)) continue;
      if (countOf(TaskState::Blocked) == 0) return nullptr;
      if (freeBlocked()) continue;
      if (!mayBeWoken()) deadlock();
    }
    if (!mayWait) return monitor();
    if (awaitReturn() || ready_.count != 0) {
      mayWait = countOf(TaskState::Back) != 0;
      continue;
    }
    if (!advanceClock(true) && outside && !mayBeWoken()) return nullptr;
  }
}

// Asks the strategy. Null: nobody is ready, or it would rather wait.
Task *Scheduler::pick(bool mayWait) {
  ready_.clear();
  for (U32 index = 0; index != count_; ++index)
    if (tasks_[index].state == TaskState::Ready) ready_.add(&tasks_[index]);
  if (ready_.count == 0) return nullptr;
  bool stalled = true;
  for (const Task *task : ready_) stalled &= task->postponed;
  contested_ += ready_.count > 1;
  Choice choice{
      *control_, ready_, last_, random_, scratch_, contested_, (mayWait && isWorthWaiting()) || sleepersMayRun()};
  Task *next = choose_(choice);
  if (next && stalled && !control_->hasty) patience_ = kPatience;
  if (next && next != usual(choice)) record(*next, abi::DecisionKind::Run);
  return next;
}

void Scheduler::startSpinning(Task &self) {
  if (!self.spins) self.spinsSince = control_->points;
  self.spins = true;
}

void Scheduler::spin(Task &self) {
  startSpinning(self);
  Operation operation{.action = Action::Spin};
  reach(self, operation);
}

// By a signal to this very thread: one to the process is taken by whoever comes first, and this one would run on until then.
void Scheduler::stopHere() {
  constexpr int kStop = 19;
  systemCall(__NR_tgkill, systemCall(__NR_getpid), systemCall(__NR_gettid), kStop);
}

void Scheduler::noteRace(const Task &arrived) {
  if (arrived.next.side == 0) return;
  for (U32 index = 0; index != count_; ++index) {
    const Task &other = tasks_[index];
    if (&other == &arrived || other.state != TaskState::Ready || !inRace(arrived.next, other.next)) continue;
    if (control_->hits < abi::kMaxHits) {
      auto contender = [](const Task &task) {
        return abi::Contender{task.number, task.next.size, task.next.place, task.next.object, task.next.isWrite};
      };
      control_->hitList[control_->hits] = {control_->points, contender(arrived), contender(other), 0, 0};
    }
    ++control_->hits;
    if (control_->stopBefore && control_->hits == 1) stopHere();
  }
}

// The task executes its target now: who goes first in the last hit is known.
void Scheduler::countTarget(const Task &task) {
  if (task.next.side == 0) return;
  for (U32 side = 0; side != 2; ++side) {
    if (!(task.next.side & (1 << side))) continue;
    ++control_->reached[side];
    if (control_->sideTask[side] == 0) control_->sideTask[side] = task.number;
    if (control_->sideTask[side] != task.number) control_->sideMany[side] = 1;
  }
  if (task.next.action == Action::Access || task.next.action == Action::Atomic)
    ordering_.execute(task, control_->order);
  const U64 kept = control_->hits < abi::kMaxHits ? control_->hits : abi::kMaxHits;
  for (U64 index = 0; index != kept; ++index) {
    abi::Hit &hit = control_->hitList[index];
    if (hit.first == 0 && (hit.arrived.task == task.number || hit.waiting.task == task.number)) hit.first = task.number;
  }
}

void Scheduler::record(const Task &task, abi::DecisionKind kind) {
  if (control_->recorded < abi::kMaxDecisions)
    control_->decisions[control_->recorded] = {control_->points, task.number,   kind,         task.next.action, {},
                                               task.next.place,  last_->number, last_->points};
  ++control_->recorded;
}

void Scheduler::noteSwitch(const Task &from, const Task &to) {
  if (control_->hits != 0 && ++switchesAfterHit_ > abi::kSwitchesAfterHit) return;
  control_->switchList[control_->switches++ % abi::kMaxSwitches] = {
      control_->points, from.number, to.number, from.next.action, to.next.action, {}, from.next.place, to.next.place};
}

void Scheduler::count(const Task &self, U32 target, U64 address, U64 bytes) {
  abi::TargetCount &count = control_->targetCounts[target];
  if (count.count++ == 0) count.task = self.number;
  if (count.task != self.number) count.many = 1;
  addAddresses(count.task == self.number ? count.first : count.others, address, bytes);
}

void Scheduler::hold(Task &self, U64 object) {
  holders_.hold(self, object, self.next.action == Action::AcquireShared);
  observe(self, object);
}

void Scheduler::letGo(Task *self, U64 object) {
  holders_.letGo(self, object);
  if (self) publish(*self, object);
}

U32 Scheduler::countOf(TaskState state) const {
  U32 count = 0;
  for (U32 index = 0; index != count_; ++index) count += tasks_[index].state == state;
  return count;
}

void Scheduler::show(const Task &task) {
  abi::TaskView &view = control_->tasks[task.number - 1];
  view.state = task.state;
  view.action = task.next.action;
  view.object = task.state == TaskState::Blocked ? task.awaited : task.next.object;
  view.place = task.next.place;
  view.side = task.next.side;
}

// A circle is a deadlock even while others run.
void Scheduler::lookForCycle(const Task &self) {
  if (!holders_.findCycle(tasks_, count_, self, inCycle_)) return;
  for (U32 index = 0; index != count_; ++index)
    if (inCycle_[index] && isFreed(tasks_[index])) return;
  for (U32 index = 0; index != count_; ++index) control_->tasks[index].inCycle = inCycle_[index];
  deadlock();
}

void Scheduler::deadlock() {
  for (U32 index = 0; index != count_; ++index) {
    if (tasks_[index].state == TaskState::Blocked)
      control_->tasks[index].holder = holders_.holderOf(tasks_[index].awaited);
  }
  __atomic_store_n(&control_->deadlock, 1u, __ATOMIC_RELEASE);
  for (;;) systemCall(__NR_exit_group, 66);
}

} // namespace deadheat::runtime::schedule
