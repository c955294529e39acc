// Condition variables, semaphores, barriers and what runs once.

#include <pthread.h>
#include <semaphore.h>
#include <threads.h>

#include "runtime/interpose/interpose.h"

// Behind pthread_cleanup_push in C; no header has them.
extern "C" {
void _pthread_cleanup_push(_pthread_cleanup_buffer *buffer, void (*routine)(void *), void *argument);
void _pthread_cleanup_pop(_pthread_cleanup_buffer *buffer, int execute);
int __cxa_guard_acquire(long *guard);
void __cxa_guard_release(long *guard);
}

namespace deadheat::runtime {
namespace {

struct Waiter {
  const void *mutex;
  const Caller *caller;
};

// A thread that is cancelled while it waits holds the mutex again before its handlers run.
void acquireAgain(void *waiter) {
  const auto &[mutex, caller] = *static_cast<const Waiter *>(waiter);
  tellAcquire({SyncKind::Mutex, mutex}, *caller);
}

template <typename Next> int waitFor(const void *condition, const void *mutex, const Caller &caller, Next next) {
  Waiter waiter{mutex, &caller};
  _pthread_cleanup_buffer buffer;
  tellRelease({SyncKind::Mutex, mutex, abi::kWriter}, caller);
  NEXT(_pthread_cleanup_push)(&buffer, acquireAgain, &waiter);
  const int result = next();
  NEXT(_pthread_cleanup_pop)(&buffer, 0);
  if (result == 0) tellWait({SyncKind::Condition, condition}, caller);
  acquireAgain(&waiter);
  return result;
}

template <typename Next> int waitForSemaphore(const void *semaphore, const Caller &caller, Next next) {
  const int result = next();
  if (result == 0) tellWait({SyncKind::Semaphore, semaphore}, caller);
  return result;
}

// glibc's barrier counts who has come and who was let go. A thread may come to the next round before others have left this
// one: two objects in turn keep the rounds apart.
struct Barrier {
  U32 come;
  U32 letGo;
  U32 size;
};

const void *roundOf(const pthread_barrier_t *barrier) {
  const auto *parts = reinterpret_cast<const Barrier *>(barrier);
  const U32 round = parts->size == 0 ? 0 : abi::loadRelaxed(parts->letGo) / parts->size;
  return reinterpret_cast<const char *>(barrier) + round % 2;
}

// What the thread is about to run once.
struct Once {
  const void *control;
  void (*routine)();
};
constinit thread_local Once once = {};

void runOnce() {
  const Once now = once;
  now.routine();
  tellSignal({SyncKind::Once, now.control}, CALLER);
}

template <typename Next> int doOnce(const void *control, void (*routine)(), const Caller &caller, Next next) {
  once = {control, routine};
  const int result = next();
  tellWait({SyncKind::Once, control}, caller);
  return result;
}

} // namespace

#define WAIT_FOR(name, parameters, arguments)                                                                          \
  INTERPOSE(int, name, parameters) {                                                                                   \
    if (!isAttached()) return NEXT(name) arguments;                                                                    \
    return waitFor(condition, mutex, CALLER, [&] { return NEXT(name) arguments; });                                    \
  }
#define NOTIFY(name, type)                                                                                             \
  INTERPOSE(int, name, (type * condition)) {                                                                           \
    if (isAttached()) tellSignal({SyncKind::Condition, condition}, CALLER);                                            \
    return NEXT(name)(condition);                                                                                      \
  }
#define TAKE_SEMAPHORE(name, parameters, arguments)                                                                    \
  INTERPOSE(int, name, parameters) {                                                                                   \
    if (!isAttached()) return NEXT(name) arguments;                                                                    \
    return waitForSemaphore(semaphore, CALLER, [&] { return NEXT(name) arguments; });                                  \
  }

using Time = const timespec *;

WAIT_FOR(pthread_cond_wait, (pthread_cond_t * condition, pthread_mutex_t *mutex), (condition, mutex))
WAIT_FOR(pthread_cond_timedwait, (pthread_cond_t * condition, pthread_mutex_t *mutex, Time until),
         (condition, mutex, until))
WAIT_FOR(pthread_cond_clockwait, (pthread_cond_t * condition, pthread_mutex_t *mutex, clockid_t clock, Time until),
         (condition, mutex, clock, until))
WAIT_FOR(cnd_wait, (cnd_t * condition, mtx_t *mutex), (condition, mutex))
WAIT_FOR(cnd_timedwait, (cnd_t * condition, mtx_t *mutex, Time until), (condition, mutex, until))
NOTIFY(pthread_cond_signal, pthread_cond_t)
NOTIFY(pthread_cond_broadcast, pthread_cond_t)
NOTIFY(cnd_signal, cnd_t)
NOTIFY(cnd_broadcast, cnd_t)

TAKE_SEMAPHORE(sem_wait, (sem_t * semaphore), (semaphore))
TAKE_SEMAPHORE(sem_trywait, (sem_t * semaphore), (semaphore))
TAKE_SEMAPHORE(sem_timedwait, (sem_t * semaphore, Time until), (semaphore, until))
TAKE_SEMAPHORE(sem_clockwait, (sem_t * semaphore, clockid_t clock, Time until), (semaphore, clock, until))

INTERPOSE(int, sem_post, (sem_t * semaphore)) {
  if (isAttached()) tellSignal({SyncKind::Semaphore, semaphore}, CALLER);
  return NEXT(sem_post)(semaphore);
}

INTERPOSE(int, pthread_barrier_wait, (pthread_barrier_t * barrier)) {
  if (!isAttached()) return NEXT(pthread_barrier_wait)(barrier);
  const void *round = roundOf(barrier);
  tellSignal({SyncKind::Barrier, round}, CALLER);
  const int result = NEXT(pthread_barrier_wait)(barrier);
  if (result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD) tellWait({SyncKind::Barrier, round}, CALLER);
  return result;
}

MAKE(Condition, pthread_cond_init, (pthread_cond_t * condition, const pthread_condattr_t *attributes),
     (condition, attributes), condition)
MAKE(Condition, pthread_cond_destroy, (pthread_cond_t * condition), (condition), condition)
MAKE(Barrier, pthread_barrier_init,
     (pthread_barrier_t * barrier, const pthread_barrierattr_t *attributes, unsigned count),
     (barrier, attributes, count), barrier)
MAKE(Barrier, pthread_barrier_destroy, (pthread_barrier_t * barrier), (barrier), barrier)
MAKE(Semaphore, sem_init, (sem_t * semaphore, int shared, unsigned value), (semaphore, shared, value), semaphore)
MAKE(Semaphore, sem_destroy, (sem_t * semaphore), (semaphore), semaphore)

INTERPOSE(int, pthread_once, (pthread_once_t * control, void (*routine)())) {
  if (!isAttached()) return NEXT(pthread_once)(control, routine);
  return doOnce(control, routine, CALLER, [&] { return NEXT(pthread_once)(control, runOnce); });
}

INTERPOSE(void, call_once, (once_flag * control, void (*routine)())) {
  if (!isAttached()) return NEXT(call_once)(control, routine);
  doOnce(control, routine, CALLER, [&] { return NEXT(call_once)(control, runOnce), 0; });
}

// A static of a function: whoever does not get to make it sees it made.
INTERPOSE(int, __cxa_guard_acquire, (long *guard)) {
  const int mine = NEXT(__cxa_guard_acquire)(guard);
  if (isAttached() && !mine) tellWait({SyncKind::Once, guard}, CALLER);
  return mine;
}

INTERPOSE(void, __cxa_guard_release, (long *guard)) {
  if (isAttached()) tellSignal({SyncKind::Once, guard}, CALLER);
  NEXT(__cxa_guard_release)(guard);
}

} // namespace deadheat::runtime
