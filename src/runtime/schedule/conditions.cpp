// Condition variables, barriers, once-only initialisation: kept by the scheduler alone, the real ones never wait.

#include <errno.h>
#include <pthread.h>
#include <threads.h>
#include <time.h>

#include "runtime/schedule/director.h"
#include "runtime/schedule/locks.h"

extern "C" {
int __cxa_guard_acquire(long *guard);
void __cxa_guard_release(long *guard);
void __cxa_guard_abort(long *guard);
}

namespace deadheat::runtime::schedule {

namespace {

// Another process may signal it.
bool isForeign(const pthread_cond_t *condition) { return (condition->__data.__wrefs & 1) != 0; }

// The clock that pthread_condattr_setclock chose.
int clockOf(const pthread_cond_t *condition) {
  return (condition->__data.__wrefs & 2) != 0 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

int wait(Task &task, pthread_cond_t *condition, pthread_mutex_t *mutex, U64 deadline, const void *place) {
  reach(task, Action::Wait, condition, place);
  pthread_testcancel(); // a request that came before wakes nobody
  const U64 object = reinterpret_cast<U64>(condition);
  {
    Inside inside;
    scheduler.announce(task, object, deadline);
  }
  unlockMutex(mutex);
  bool signalled = false;
  {
    Inside inside;
    signalled = scheduler.rest(task);
    if (signalled) scheduler.observe(task, object);
  }
  const int status = lockAgain(task, mutex);
  pthread_testcancel();
  return status != 0 ? status : signalled ? 0 : ETIMEDOUT;
}

// Outside, where other processes are: for as long as it takes there. Null: no deadline.
int waitForeign(Task &task, pthread_cond_t *condition, pthread_mutex_t *mutex, int clock, const timespec *time,
                const void *place) {
  reach(task, Action::Wait, condition, place);
  const U64 deadline = time ? deadlineOf(clock, time) : kNever, lock = reinterpret_cast<U64>(mutex);
  const U64 left = time && deadline > scheduler.now() ? deadline - scheduler.now() : 0;
  Inside inside;
  scheduler.letGo(&task, lock);
  scheduler.leave(task, {.action = Action::Outside, .place = reinterpret_cast<U64>(place)});
  const timespec moment = time ? realTime(clock, deadline) : timespec{};
  const int status = cancellable([&] {
    return time ? DEADHEAT_REAL(pthread_cond_clockwait)(condition, mutex, clock, &moment)
                : DEADHEAT_REAL(pthread_cond_wait)(condition, mutex);
  });
  if (status == ETIMEDOUT) task.slept = left;
  scheduler.comeBack(task);
  scheduler.hold(task, lock);
  if (status == 0) scheduler.observe(task, reinterpret_cast<U64>(condition));
  return status;
}

void wake(Task &task, const void *object, U32 count, const void *place) {
  reach(task, Action::Signal, object, place);
  Inside inside;
  scheduler.publish(task, reinterpret_cast<U64>(object));
  scheduler.wake(task, reinterpret_cast<U64>(object), count);
}

void wakeBy(Task *task, const void *object, U32 count, const void *place) {
  if (task)
    wake(*task, object, count, place);
  else
    tellFromOutside(object, count);
}

// Objects whose state is ours: barriers with their counts, initialisations under way.
struct Entry {
  const void *object;
  U32 count; // of a barrier; of an initialisation: 1 while it is under way
  U32 arrived;
  U32 rounds; // how often all had arrived
};
constexpr U32 kEntries = 1024;
constinit Entry entries[kEntries] = {};

Entry *entryOf(const void *object, bool add) {
  const U64 start = reinterpret_cast<U64>(object) * 0x9e3779b97f4a7c15 >> 54;
  for (U32 probe = 0; probe != kEntries; ++probe) {
    Entry &entry = entries[(start + probe) % kEntries];
    if (entry.object == object || (add && !entry.object)) return entry.object = add ? object : entry.object, &entry;
    if (!entry.object) return nullptr;
  }
  return nullptr;
}

// Stands until nobody else initialises `object`.
void awaitInitialisation(Task &task, const void *object, const void *place) {
  reach(task, Action::Once, object, place);
  Inside inside;
  for (;;) {
    const Entry *entry = entryOf(object, false);
    if (!entry || entry->count == 0) return scheduler.observe(task, reinterpret_cast<U64>(object));
    scheduler.block(task, reinterpret_cast<U64>(object));
  }
}

void setUnderWay(Task &task, const void *object, bool underWay) {
  if (Entry *entry = entryOf(object, true)) entry->count = underWay;
  if (underWay) return;
  Inside inside;
  scheduler.publish(task, reinterpret_cast<U64>(object));
  scheduler.wake(task, reinterpret_cast<U64>(object));
}

// glibc's word of a pthread_once_t and a once_flag: whether somebody initialises. If that ends by an exception nobody is told.
bool isNotUnderWay(U64 control) {
  return (__atomic_load_n(reinterpret_cast<int *>(control), __ATOMIC_ACQUIRE) & 3) != 1;
}

// `initialise` is called by the real function, by whom it lets.
template <typename Call> auto initialiseOnce(Task &task, const void *control, const void *place, Call initialise) {
  const U64 object = reinterpret_cast<U64>(control);
  reach(task, Action::Once, control, place);
  while (!isNotUnderWay(object)) {
    Inside inside;
    scheduler.block(task, object, kNever, isNotUnderWay);
  }
  const auto result = initialise();
  Inside inside;
  scheduler.observe(task, object);
  scheduler.publish(task, object);
  scheduler.wake(task, object);
  return result;
}

} // namespace

#define HERE __builtin_return_address(0)

DEADHEAT_INTERPOSE int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  Task *task = directed();
  if (!task) return DEADHEAT_REAL(pthread_cond_wait)(condition, mutex);
  if (isForeign(condition)) return waitForeign(*task, condition, mutex, CLOCK_MONOTONIC, nullptr, HERE);
  return wait(*task, condition, mutex, kNever, HERE);
}

DEADHEAT_INTERPOSE int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const timespec *time) {
  Task *task = directed();
  if (!task) return DEADHEAT_REAL(pthread_cond_timedwait)(condition, mutex, time);
  if (isForeign(condition)) return waitForeign(*task, condition, mutex, clockOf(condition), time, HERE);
  return wait(*task, condition, mutex, deadlineOf(clockOf(condition), time), HERE);
}

DEADHEAT_INTERPOSE int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                                              const timespec *time) {
  Task *task = directed();
  if (!task) return DEADHEAT_REAL(pthread_cond_clockwait)(condition, mutex, clock, time);
  if (isForeign(condition)) return waitForeign(*task, condition, mutex, clock, time, HERE);
  return wait(*task, condition, mutex, deadlineOf(clock, time), HERE);
}

DEADHEAT_INTERPOSE int pthread_cond_signal(pthread_cond_t *condition) {
  wakeBy(directed(), condition, 1, HERE);
  return DEADHEAT_REAL(pthread_cond_signal)(condition);
}

DEADHEAT_INTERPOSE int pthread_cond_broadcast(pthread_cond_t *condition) {
  wakeBy(directed(), condition, Scheduler::kAll, HERE);
  return DEADHEAT_REAL(pthread_cond_broadcast)(condition);
}

static pthread_cond_t *posix(cnd_t *condition) { return reinterpret_cast<pthread_cond_t *>(condition); }

DEADHEAT_INTERPOSE int cnd_wait(cnd_t *condition, mtx_t *mutex) {
  Task *task = directed();
  if (!task) return DEADHEAT_REAL(cnd_wait)(condition, mutex);
  const int status = wait(*task, posix(condition), reinterpret_cast<pthread_mutex_t *>(mutex), kNever, HERE);
  return status == 0 ? thrd_success : thrd_error;
}

DEADHEAT_INTERPOSE int cnd_timedwait(cnd_t *condition, mtx_t *mutex, const timespec *time) {
  Task *task = directed();
  if (!task) return DEADHEAT_REAL(cnd_timedwait)(condition, mutex, time);
  const U64 deadline = deadlineOf(CLOCK_REALTIME, time);
  const int status = wait(*task, posix(condition), reinterpret_cast<pthread_mutex_t *>(mutex), deadline, HERE);
  return status == 0 ? thrd_success : status == ETIMEDOUT ? thrd_timedout : thrd_error;
}

DEADHEAT_INTERPOSE int cnd_signal(cnd_t *condition) {
  wakeBy(directed(), condition, 1, HERE);
  return DEADHEAT_REAL(cnd_signal)(condition);
}

DEADHEAT_INTERPOSE int cnd_broadcast(cnd_t *condition) {
  wakeBy(directed(), condition, Scheduler::kAll, HERE);
  return DEADHEAT_REAL(cnd_broadcast)(condition);
}

DEADHEAT_INTERPOSE int pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attributes,
                                            unsigned count) {
  const int status = DEADHEAT_REAL(pthread_barrier_init)(barrier, attributes, count);
  int shared = PTHREAD_PROCESS_PRIVATE; // else other processes come to it, too, and only the real one knows
  if (attributes) pthread_barrierattr_getpshared(attributes, &shared);
  if (status == 0 && shared == PTHREAD_PROCESS_PRIVATE && directed())
    if (Entry *entry = entryOf(barrier, true)) entry->count = count, entry->arrived = 0;
  return status;
}

// What lies there next may be something else.
DEADHEAT_INTERPOSE int pthread_barrier_destroy(pthread_barrier_t *barrier) {
  if (Entry *entry = directed() ? entryOf(barrier, false) : nullptr) entry->count = 0;
  return DEADHEAT_REAL(pthread_barrier_destroy)(barrier);
}

DEADHEAT_INTERPOSE int pthread_barrier_wait(pthread_barrier_t *barrier) {
  Task *task = directed();
  Entry *entry = task ? entryOf(barrier, false) : nullptr;
  if (!entry || entry->count == 0) return DEADHEAT_REAL(pthread_barrier_wait)(barrier);
  reach(*task, Action::Barrier, barrier, HERE);
  Inside inside;
  const U64 object = reinterpret_cast<U64>(barrier);
  scheduler.publish(*task, object);
  const bool last = ++entry->arrived == entry->count;
  const U32 round = entry->rounds;
  if (last) {
    entry->arrived = 0;
    ++entry->rounds;
    scheduler.wake(*task, object);
  }
  while (entry->rounds == round) scheduler.block(*task, object);
  scheduler.observe(*task, object);
  return last ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

DEADHEAT_INTERPOSE int pthread_once(pthread_once_t *control, void (*initialise)()) {
  Task *task = directed();
  if (!task) return DEADHEAT_REAL(pthread_once)(control, initialise);
  return initialiseOnce(*task, control, HERE, [=] { return DEADHEAT_REAL(pthread_once)(control, initialise); });
}

DEADHEAT_INTERPOSE void call_once(once_flag *flag, void (*initialise)()) {
  Task *task = directed();
  if (!task) return DEADHEAT_REAL(call_once)(flag, initialise);
  initialiseOnce(*task, flag, HERE, [=] { return DEADHEAT_REAL(call_once)(flag, initialise), 0; });
}

DEADHEAT_INTERPOSE int __cxa_guard_acquire(long *guard) {
  Task *task = directed();
  if (task) awaitInitialisation(*task, guard, HERE);
  const int mine = DEADHEAT_REAL(__cxa_guard_acquire)(guard);
  if (task && mine) setUnderWay(*task, guard, true);
  return mine;
}

DEADHEAT_INTERPOSE void __cxa_guard_release(long *guard) {
  DEADHEAT_REAL(__cxa_guard_release)(guard);
  if (Task *task = directed()) setUnderWay(*task, guard, false);
}

DEADHEAT_INTERPOSE void __cxa_guard_abort(long *guard) {
  DEADHEAT_REAL(__cxa_guard_abort)(guard);
  if (Task *task = directed()) setUnderWay(*task, guard, false);
}

} // namespace deadheat::runtime::schedule
