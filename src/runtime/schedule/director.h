// The directed process: the one scheduler, which thread is which task, and the way from an interposed function to either.
//
// This is a library of its own (libdeadheat_director.so), preloaded by `deadheat confirm` and `replay` in place of the runtime that
// tells events: there the program must not be disturbed, here it is led by the hand.
//
// Claim   Without a control file, in the child of a fork, and in a thread that is no task every interposed function is the
//         real one.
// Misses  Programs that call the kernel for threads or locks by themselves (raw clone, raw futex without syscall()).
#pragma once

#include <pthread.h>

#include "runtime/schedule/scheduler.h"

namespace deadheat::runtime::schedule {

extern Scheduler scheduler;

// Where the calling thread is. `inside` while it works for the scheduler: a signal handler that interrupts that is left
// alone.
struct Self {
  Task *task;
  bool inside;
  U64 stackEnd; // no frame of the program is above
};
extern constinit thread_local Self self;

// The task was taken for one that waits in the kernel. Saves all registers, for the hooks' sake.
__attribute__((preserve_most)) void comeBackFirst();

// Null: do what the program asked for and nothing else.
inline Task *directed() {
  if (!self.task || self.inside) [[unlikely]]
    return nullptr;
  if (self.task->forced) [[unlikely]]
    comeBackFirst();
  return self.task;
}

// The calling thread, if it is no task or works in a handler, did what a task may wait for.
void tellFromOutside(const void *object, U32 count = Scheduler::kAll);

// Whether this process is (still) the one that is directed.
bool isDirected();

// The calling thread, which is no task or works in a handler, starts another one, that nobody leads. Of a child of the directed process the
// controller is told.
void noteFreeThread();

// The scheduler's clock in terms of the program's.
U64 clockBase(int clock);
U64 deadlineOf(int clock, const struct timespec *time);
// A moment of the scheduler's clock as that clock of the world has it: for who waits outside.
struct timespec realTime(int clock, U64 deadline);

// Marks that the thread works for the scheduler.
class Inside {
public:
  Inside() : before_(self.inside) { self.inside = true; }
  ~Inside() { self.inside = before_; }
  Inside(const Inside &) = delete;
  Inside &operator=(const Inside &) = delete;

private:
  bool before_;
};

// The calling thread leaves whatever it did for the scheduler, by a cancellation or a jump out of a handler: from here on it is led again.
void leaveInside();

// A call in which the calling thread may be cancelled: then it is led again while it cleans up.
template <typename Call> [[gnu::noinline]] auto cancellable(Call call) {
  decltype(call()) result;
  pthread_cleanup_push([](void *) { leaveInside(); }, nullptr);
  result = call();
  pthread_cleanup_pop(0);
  return result;
}

// Stands before an operation. `place` is the return address of the interposed function.
void reach(Task &task, Action action, const void *object, const void *place);

// Tries until it succeeds, waiting for `object` in between. `attempt` returns `busy` while it does not. ETIMEDOUT at the deadline.
// `peek`: whether it would succeed, for those that others than tasks may release.
template <typename Attempt>
int retry(Task &task, const void *object, int busy, U64 deadline, Attempt attempt, bool (*peek)(U64) = nullptr) {
  constexpr int kTimedOut = 110;
  for (;;) {
    const int result = attempt();
    if (result != busy) return result;
    Inside inside;
    if (!scheduler.block(task, reinterpret_cast<U64>(object), deadline, peek)) return kTimedOut;
  }
}

// The function that this library stands in front of.
void *nextSymbol(const char *name);

} // namespace deadheat::runtime::schedule

// DEADHEAT_REAL(name) is the real function of that name, looked up once.
#define DEADHEAT_REAL(name)                                                                                            \
  ([] {                                                                                                                \
    static decltype(&::name) found;                                                                                    \
    if (!found) found = reinterpret_cast<decltype(&::name)>(::deadheat::runtime::schedule::nextSymbol(#name));         \
    return found;                                                                                                      \
  }())
#define DEADHEAT_INTERPOSE extern "C" __attribute__((visibility("default")))
