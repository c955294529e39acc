// Threads: created as tasks, ended as tasks however they end, joined without waiting in the kernel.

#include "runtime/schedule/threads.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <threads.h>
#include <unistd.h>

#include "runtime/schedule/director.h"

namespace deadheat::runtime::schedule {

namespace {

// What a new thread has to do; by task number.
struct Start {
  Task *task;
  void *(*run)(void *);
  int (*runC11)(void *);
  void *argument;
  pthread_t handle;
  bool known; // handle is set
};
constinit Start starts[abi::kMaxTasks] = {};
pthread_key_t endKey;

Start &startOf(Task &task) { return starts[task.number - 1]; }

// Runs when the thread ends in whatever way. Once more after all others: their destructors are the program's, too.
void atEnd(void *value) {
  const U64 round = reinterpret_cast<U64>(value);
  if (round < PTHREAD_DESTRUCTOR_ITERATIONS - 1) {
    pthread_setspecific(endKey, reinterpret_cast<void *>(round + 1));
    return;
  }
  if (!self.task || !isDirected()) return;
  self.inside = true;
  scheduler.recover(*self.task); // a handler may have ended it wherever it was
  scheduler.end(*self.task);
  self.task = nullptr;
}

// Looks after threads that wait in calls we do not know. It ends with the last task, or it would keep the process alive.
void *watchOver(void *unused) {
  for (timespec pause{}; isDirected() && (pause.tv_nsec = static_cast<long>(scheduler.watch())) != 0;)
    systemCall(__NR_nanosleep, &pause, nullptr);
  return unused;
}

void startWatch() {
  static bool started = false;
  if (started) return;
  started = true;
  constexpr size_t kStack = 64 << 10;
  pthread_attr_t attributes;
  pthread_t thread;
  sigset_t all, old;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &old);
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, kStack);
  DEADHEAT_REAL(pthread_create)(&thread, &attributes, watchOver, nullptr);
  pthread_attr_destroy(&attributes);
  pthread_sigmask(SIG_SETMASK, &old, nullptr);
}

void begin(Start &start) {
  Inside inside;                   // a handler of a signal that comes before the first turn has none to give
  constexpr U64 kOfLibrary = 1024; // frames of the C library above ours, which call destructors at the end
  self.task = start.task;
  self.stackEnd = reinterpret_cast<U64>(__builtin_frame_address(0)) + kOfLibrary;
  start.task->thread = static_cast<U32>(gettid());
  start.handle = pthread_self();
  start.known = true;
  pthread_setspecific(endKey, reinterpret_cast<void *>(1));
  scheduler.begin(*start.task);
}

void *runThread(void *given) {
  Start &start = *static_cast<Start *>(given);
  begin(start);
  return start.run(start.argument);
}

int runC11Thread(void *given) {
  Start &start = *static_cast<Start *>(given);
  begin(start);
  return start.runC11(start.argument);
}

// Handles are used again: the youngest task that has it is the one.
Task *taskOf(pthread_t handle) {
  for (U32 index = abi::kMaxTasks; index-- != 0;)
    if (starts[index].known && starts[index].handle == handle) return starts[index].task;
  return nullptr;
}

// From here until the thread is there, no handler of a signal may give it the turn: the caller is Inside.
Task *spawn(const void *place) {
  startWatch();
  return scheduler.spawn(reinterpret_cast<U64>(place));
}

void created(Task &task, bool good, pthread_t handle) {
  if (!good) return scheduler.giveUp(task);
  startOf(task).handle = handle;
  startOf(task).known = true;
}

bool awaitEnd(Task &joiner, Task &joined, U64 deadline) {
  while (joined.state != TaskState::Done) {
    pthread_testcancel();
    Inside inside;
    if (!scheduler.block(joiner, reinterpret_cast<U64>(&joined), deadline)) return false;
  }
  Inside inside;
  scheduler.observeEnd(joiner, joined);
  return true;
}

int join(pthread_t handle, void **result, U64 deadline, const void *place) {
  Task *task = directed();
  Task *joined = task ? taskOf(handle) : nullptr;
  if (joined && joined != task) {
    reach(*task, Action::Join, joined, place);
    if (!awaitEnd(*task, *joined, deadline)) return ETIMEDOUT;
    pthread_testcancel();
  }
  const int status = DEADHEAT_REAL(pthread_join)(handle, result);
  if (joined && status == 0) startOf(*joined).known = false;
  return status;
}

void yield(const void *place) {
  Task *task = directed();
  if (!task) return;
  scheduler.startSpinning(*task);
  reach(*task, Action::Yield, nullptr, place);
}

} // namespace

void rememberMain(Task &task) {
  pthread_key_create(&endKey, atEnd);
  task.thread = static_cast<U32>(gettid());
  startOf(task) = {&task, nullptr, nullptr, nullptr, pthread_self(), true};
  pthread_setspecific(endKey, reinterpret_cast<void *>(1));
}

DEADHEAT_INTERPOSE int pthread_create(pthread_t *handle, const pthread_attr_t *attributes, void *(*run)(void *),
                                      void *argument) {
  Task *parent = directed();
  if (parent)
    reach(*parent, Action::Spawn, nullptr, __builtin_return_address(0));
  else
    noteFreeThread();
  Inside inside;
  Task *task = parent ? spawn(__builtin_return_address(0)) : nullptr;
  if (!task) return DEADHEAT_REAL(pthread_create)(handle, attributes, run, argument);
  Start &start = startOf(*task);
  start = {task, run, nullptr, argument, {}, false};
  const int status = DEADHEAT_REAL(pthread_create)(handle, attributes, runThread, &start);
  created(*task, status == 0, status == 0 ? *handle : pthread_t{});
  return status;
}

DEADHEAT_INTERPOSE int thrd_create(thrd_t *handle, thrd_start_t run, void *argument) {
  Task *parent = directed();
  if (parent)
    reach(*parent, Action::Spawn, nullptr, __builtin_return_address(0));
  else
    noteFreeThread();
  Inside inside;
  Task *task = parent ? spawn(__builtin_return_address(0)) : nullptr;
  if (!task) return DEADHEAT_REAL(thrd_create)(handle, run, argument);
  Start &start = startOf(*task);
  start = {task, nullptr, run, argument, {}, false};
  const int status = DEADHEAT_REAL(thrd_create)(handle, runC11Thread, &start);
  created(*task, status == thrd_success, status == thrd_success ? *handle : thrd_t{});
  return status;
}

DEADHEAT_INTERPOSE int pthread_join(pthread_t handle, void **result) {
  return join(handle, result, kNever, __builtin_return_address(0));
}

DEADHEAT_INTERPOSE int pthread_tryjoin_np(pthread_t handle, void **result) {
  Task *task = directed();
  Task *joined = task ? taskOf(handle) : nullptr;
  if (!joined) return DEADHEAT_REAL(pthread_tryjoin_np)(handle, result);
  reach(*task, Action::Join, joined, __builtin_return_address(0));
  return joined->state == TaskState::Done ? DEADHEAT_REAL(pthread_join)(handle, result) : EBUSY;
}

DEADHEAT_INTERPOSE int pthread_timedjoin_np(pthread_t handle, void **result, const timespec *time) {
  if (!directed()) return DEADHEAT_REAL(pthread_timedjoin_np)(handle, result, time);
  return join(handle, result, time ? deadlineOf(CLOCK_REALTIME, time) : kNever, __builtin_return_address(0));
}

DEADHEAT_INTERPOSE int thrd_join(thrd_t handle, int *result) {
  Task *task = directed();
  Task *joined = task ? taskOf(handle) : nullptr;
  if (joined) {
    reach(*task, Action::Join, joined, __builtin_return_address(0));
    awaitEnd(*task, *joined, kNever);
    startOf(*joined).known = false;
  }
  return DEADHEAT_REAL(thrd_join)(handle, result);
}

DEADHEAT_INTERPOSE int pthread_cancel(pthread_t handle) {
  const int status = DEADHEAT_REAL(pthread_cancel)(handle);
  Task *task = directed();
  Task *cancelled = task ? taskOf(handle) : nullptr;
  if (cancelled && status == 0) {
    Inside inside;
    scheduler.interrupt(*cancelled);
  }
  return status;
}

DEADHEAT_INTERPOSE int sched_yield() {
  if (directed()) return yield(__builtin_return_address(0)), 0;
  return DEADHEAT_REAL(sched_yield)();
}

DEADHEAT_INTERPOSE void thrd_yield() {
  if (directed()) return yield(__builtin_return_address(0));
  DEADHEAT_REAL(thrd_yield)();
}

// The answer of before we chose one.
static int ownProcessors(int status, size_t size, cpu_set_t *set) {
  Processors::Set known;
  if (status != 0 || !isDirected()) return status;
  const size_t bytes = size < sizeof(known) ? size : sizeof(known);
  __builtin_memcpy(&known, set, bytes);
  if (scheduler.processors().areOurs(known)) __builtin_memcpy(set, &scheduler.processors().all(), bytes);
  return status;
}

DEADHEAT_INTERPOSE int sched_getaffinity(pid_t process, size_t size, cpu_set_t *set) {
  return ownProcessors(DEADHEAT_REAL(sched_getaffinity)(process, size, set), size, set);
}

DEADHEAT_INTERPOSE int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *set) {
  return ownProcessors(DEADHEAT_REAL(pthread_getaffinity_np)(thread, size, set), size, set);
}

// Calls no handlers.
DEADHEAT_INTERPOSE pid_t _Fork() {
  const pid_t child = DEADHEAT_REAL(_Fork)();
  if (child == 0) stopDirecting();
  return child;
}

} // namespace deadheat::runtime::schedule
