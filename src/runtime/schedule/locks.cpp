// Mutexes, read-write locks, spin locks, semaphores, of POSIX and C11: tried while nobody else runs, so a failed try means that
// another task holds the lock.

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "runtime/schedule/director.h"
#include "runtime/schedule/locks.h"

namespace deadheat::runtime::schedule {

namespace {

constexpr int kOwnerDied = EOWNERDEAD;

void noteHeld(Task &task, const void *lock, int status) {
  Inside inside;
  if (status == 0 || status == kOwnerDied) scheduler.hold(task, reinterpret_cast<U64>(lock));
}

void noteFree(Task &task, const void *lock) {
  Inside inside;
  scheduler.letGo(&task, reinterpret_cast<U64>(lock));
  scheduler.wake(task, reinterpret_cast<U64>(lock));
}

void released(const void *lock) {
  if (Task *task = directed())
    noteFree(*task, lock);
  else
    tellFromOutside(lock);
}

// Locks that somebody only tried to get. Who has one of these stands before it gives it up, or nobody would ever try in vain. The first ones
// count: by order, as addresses may differ from run to run.
constexpr U32 kMaxTried = 64;
constinit const void *tried[kMaxTried] = {};
constinit U32 triedCount = 0;

bool wasTried(const void *lock) {
  for (U32 index = 0; index != triedCount; ++index)
    if (tried[index] == lock) return true;
  return false;
}

void reachTry(Task &task, Action action, const void *lock, const void *place) {
  if (triedCount != kMaxTried && !wasTried(lock)) tried[triedCount++] = lock;
  reach(task, action, lock, place);
}

void reachUnlock(const void *lock, const void *place) {
  if (triedCount == 0) return;
  if (Task *task = directed(); task && wasTried(lock)) reach(*task, Action::Release, lock, place);
}

// An error-checking mutex that we hold tells us so; only the real function knows how.
bool answersAtOnce(const pthread_mutex_t *mutex) {
  constexpr int kTypeMask = 3;
  return (mutex->__data.__kind & kTypeMask) == PTHREAD_MUTEX_ERRORCHECK_NP &&
         mutex->__data.__owner == static_cast<int>(gettid());
}

// Another process may have it: that one is not ours to wait for.
bool isForeign(const pthread_mutex_t *mutex) {
  constexpr int kProcessShared = 128;
  return (mutex->__data.__kind & kProcessShared) != 0;
}

// Or its owner died: whoever asks for it then is told so.
bool isFree(U64 mutex) {
  const int word = __atomic_load_n(&reinterpret_cast<pthread_mutex_t *>(mutex)->__data.__lock, __ATOMIC_RELAXED);
  return word == 0 || (word & FUTEX_OWNER_DIED) != 0;
}

// Makes a call that returns 0 or what went wrong outside, where other processes are. If it gives up, that much time has passed for the program.
template <typename Call> int callOutside(Task &task, U64 deadline, const void *place, Call call) {
  Inside inside;
  const U64 left = deadline != kNever && deadline > scheduler.now() ? deadline - scheduler.now() : 0;
  const timespec moment = deadline != kNever ? realTime(CLOCK_MONOTONIC, deadline) : timespec{};
  scheduler.leave(task, {.action = Action::Outside, .place = reinterpret_cast<U64>(place)});
  const int status = cancellable([&] { return call(deadline != kNever ? &moment : nullptr); });
  if (status == ETIMEDOUT) task.slept = left;
  scheduler.comeBack(task);
  return status;
}

int lockForeign(Task &task, pthread_mutex_t *mutex, U64 deadline, const void *place) {
  return callOutside(task, deadline, place, [=](const timespec *time) {
    return time ? DEADHEAT_REAL(pthread_mutex_clocklock)(mutex, CLOCK_MONOTONIC, time)
                : DEADHEAT_REAL(pthread_mutex_lock)(mutex);
  });
}

int lockMutex(Task &task, pthread_mutex_t *mutex, U64 deadline, const void *place) {
  reach(task, Action::Acquire, mutex, place);
  if (answersAtOnce(mutex)) return DEADHEAT_REAL(pthread_mutex_lock)(mutex);
  auto attempt = [=] { return DEADHEAT_REAL(pthread_mutex_trylock)(mutex); };
  const int status = isForeign(mutex) ? lockForeign(task, mutex, deadline, place)
                                      : retry(task, mutex, EBUSY, deadline, attempt, isFree);
  noteHeld(task, mutex, status);
  return status;
}

template <typename Attempt>
int lockOther(Task &task, Action action, const void *lock, U64 deadline, const void *place, Attempt attempt) {
  reach(task, action, lock, place);
  const int status = retry(task, lock, EBUSY, deadline, attempt);
  noteHeld(task, lock, status);
  return status;
}

void noteTaken(Task &task, const sem_t *semaphore) {
  Inside inside;
  scheduler.observe(task, reinterpret_cast<U64>(semaphore));
}

// Another process may post it. The word behind the value says so (glibc's struct new_sem).
bool isForeign(const sem_t *semaphore) {
  constexpr int kShared = 128;
  return reinterpret_cast<const int *>(semaphore)[2] == kShared;
}

int waitForeign(Task &task, sem_t *semaphore, U64 deadline, const void *place) {
  const int status = callOutside(task, deadline, place, [=](const timespec *time) {
    const int result =
        time ? DEADHEAT_REAL(sem_clockwait)(semaphore, CLOCK_MONOTONIC, time) : DEADHEAT_REAL(sem_wait)(semaphore);
    return result == 0 ? 0 : errno;
  });
  if (status != 0) errno = status;
  return status == 0 ? 0 : -1;
}

bool hasValue(U64 semaphore) {
  int value = 0;
  return sem_getvalue(reinterpret_cast<sem_t *>(semaphore), &value) == 0 && value > 0;
}

int waitSemaphore(Task &task, sem_t *semaphore, U64 deadline, const void *place) {
  if (isForeign(semaphore)) return waitForeign(task, semaphore, deadline, place);
  reach(task, Action::Acquire, semaphore, place);
  auto attempt = [=] { return DEADHEAT_REAL(sem_trywait)(semaphore) == 0 ? 0 : errno; };
  auto cancellable = [&] {
    pthread_testcancel();
    return attempt();
  };
  const int status = retry(task, semaphore, EAGAIN, deadline, cancellable, hasValue);
  if (status == 0) return noteTaken(task, semaphore), 0;
  errno = status;
  return -1;
}

// Nobody holds a semaphore.
void postSemaphore(Task &task, sem_t *semaphore) {
  Inside inside;
  scheduler.publish(task, reinterpret_cast<U64>(semaphore));
  scheduler.wake(task, reinterpret_cast<U64>(semaphore));
}

// A thread that has it for writing is told so; only the real function knows how.
bool answersAtOnce(const pthread_rwlock_t *lock) { return lock->__data.__cur_writer == static_cast<int>(gettid()); }

template <typename Attempt>
int lockReadWrite(Task &task, Action action, pthread_rwlock_t *lock, U64 deadline, const void *place, Attempt attempt) {
  if (!answersAtOnce(lock)) return lockOther(task, action, lock, deadline, place, attempt);
  return action == Action::Acquire ? DEADHEAT_REAL(pthread_rwlock_wrlock)(lock)
                                   : DEADHEAT_REAL(pthread_rwlock_rdlock)(lock);
}

} // namespace

int lockAgain(Task &task, pthread_mutex_t *mutex) {
  const int status =
      retry(task, mutex, EBUSY, kNever, [=] { return DEADHEAT_REAL(pthread_mutex_trylock)(mutex); }, isFree);
  noteHeld(task, mutex, status);
  return status;
}

int unlockMutex(pthread_mutex_t *mutex) {
  const int status = DEADHEAT_REAL(pthread_mutex_unlock)(mutex);
  if (status == 0) released(mutex);
  return status;
}

#define HERE __builtin_return_address(0)

DEADHEAT_INTERPOSE int pthread_mutex_lock(pthread_mutex_t *mutex) {
  Task *task = directed();
  return task ? lockMutex(*task, mutex, kNever, HERE) : DEADHEAT_REAL(pthread_mutex_lock)(mutex);
}

DEADHEAT_INTERPOSE int pthread_mutex_trylock(pthread_mutex_t *mutex) {
  Task *task = directed();
  if (task) reachTry(*task, Action::Acquire, mutex, HERE);
  const int status = DEADHEAT_REAL(pthread_mutex_trylock)(mutex);
  if (task) noteHeld(*task, mutex, status);
  return status;
}

DEADHEAT_INTERPOSE int pthread_mutex_timedlock(pthread_mutex_t *mutex, const timespec *time) {
  Task *task = directed();
  if (!task) return DEADHEAT_REAL(pthread_mutex_timedlock)(mutex, time);
  return lockMutex(*task, mutex, deadlineOf(CLOCK_REALTIME, time), HERE);
}

DEADHEAT_INTERPOSE int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const timespec *time) {
  Task *task = directed();
  if (!task) return DEADHEAT_REAL(pthread_mutex_clocklock)(mutex, clock, time);
  return lockMutex(*task, mutex, deadlineOf(clock, time), HERE);
}

DEADHEAT_INTERPOSE int pthread_mutex_unlock(pthread_mutex_t *mutex) {
  reachUnlock(mutex, HERE);
  return unlockMutex(mutex);
}

DEADHEAT_INTERPOSE int pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
  Task *task = directed();
  if (!task) return DEADHEAT_REAL(pthread_rwlock_rdlock)(lock);
  return lockReadWrite(*task, Action::AcquireShared, lock, kNever, HERE,
                       [=] { return DEADHEAT_REAL(pthread_rwlock_tryrdlock)(lock); });
}

DEADHEAT_INTERPOSE int pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
  Task *task = directed();
  if (!task) return DEADHEAT_REAL(pthread_rwlock_wrlock)(lock);
  return lockReadWrite(*task, Action::Acquire, lock, kNever, HERE,
                       [=] { return DEADHEAT_REAL(pthread_rwlock_trywrlock)(lock); });
}

DEADHEAT_INTERPOSE int pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const timespec *time) {
  Task *task = directed();
  if (!task) return DEADHEAT_REAL(pthread_rwlock_timedrdlock)(lock, time);
  return lockReadWrite(*task, Action::AcquireShared, lock, deadlineOf(CLOCK_REALTIME, time), HERE,
                       [=] { return DEADHEAT_REAL(pthread_rwlock_tryrdlock)(lock); });
}

DEADHEAT_INTERPOSE int pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const timespec *time) {
  Task *task = directed();
  if (!task) return DEADHEAT_REAL(pthread_rwlock_timedwrlock)(lock, time);
  return lockReadWrite(*task, Action::Acquire, lock, deadlineOf(CLOCK_REALTIME, time), HERE,
                       [=] { return DEADHEAT_REAL(pthread_rwlock_trywrlock)(lock); });
}

DEADHEAT_INTERPOSE int pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock, const timespec *time) {
  Task *task = directed();
  if (!task) return DEADHEAT_REAL(pthread_rwlock_clockrdlock)(lock, clock, time);
  return lockReadWrite(*task, Action::AcquireShared, lock, deadlineOf(clock, time), HERE,
                       [=] { return DEADHEAT_REAL(pthread_rwlock_tryrdlock)(lock); });
}

DEADHEAT_INTERPOSE int pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock, const timespec *time) {
  Task *task = directed();
  if (!task) return DEADHEAT_REAL(pthread_rwlock_clockwrlock)(lock, clock, time);
  return lockReadWrite(*task, Action::Acquire, lock, deadlineOf(clock, time), HERE,
                       [=] { return DEADHEAT_REAL(pthread_rwlock_trywrlock)(lock); });
}

DEADHEAT_INTERPOSE int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock) {
  Task *task = directed();
  if (task) reachTry(*task, Action::AcquireShared, lock, HERE);
  const int status = DEADHEAT_REAL(pthread_rwlock_tryrdlock)(lock);
  if (task) noteHeld(*task, lock, status);
  return status;
}

DEADHEAT_INTERPOSE int pthread_rwlock_trywrlock(pthread_rwlock_t *lock) {
  Task *task = directed();
  if (task) reachTry(*task, Action::Acquire, lock, HERE);
  const int status = DEADHEAT_REAL(pthread_rwlock_trywrlock)(lock);
  if (task) noteHeld(*task, lock, status);
  return status;
}

DEADHEAT_INTERPOSE int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
  reachUnlock(lock, HERE);
  const int status = DEADHEAT_REAL(pthread_rwlock_unlock)(lock);
  if (status == 0) released(lock);
  return status;
}

DEADHEAT_INTERPOSE int pthread_spin_lock(pthread_spinlock_t *lock) {
  Task *task = directed();
  if (!task) return DEADHEAT_REAL(pthread_spin_lock)(lock);
  const void *object = const_cast<const int *>(lock);
  return lockOther(*task, Action::Acquire, object, kNever, HERE,
                   [=] { return DEADHEAT_REAL(pthread_spin_trylock)(lock); });
}

DEADHEAT_INTERPOSE int pthread_spin_trylock(pthread_spinlock_t *lock) {
  Task *task = directed();
  if (task) reachTry(*task, Action::Acquire, const_cast<const int *>(lock), HERE);
  const int status = DEADHEAT_REAL(pthread_spin_trylock)(lock);
  if (task) noteHeld(*task, const_cast<const int *>(lock), status);
  return status;
}

DEADHEAT_INTERPOSE int pthread_spin_unlock(pthread_spinlock_t *lock) {
  reachUnlock(const_cast<const int *>(lock), HERE);
  const int status = DEADHEAT_REAL(pthread_spin_unlock)(lock);
  released(const_cast<const int *>(lock));
  return status;
}

DEADHEAT_INTERPOSE int sem_wait(sem_t *semaphore) {
  Task *task = directed();
  if (!task) return DEADHEAT_REAL(sem_wait)(semaphore);
  return waitSemaphore(*task, semaphore, kNever, HERE);
}

DEADHEAT_INTERPOSE int sem_timedwait(sem_t *semaphore, const timespec *time) {
  Task *task = directed();
  if (!task) return DEADHEAT_REAL(sem_timedwait)(semaphore, time);
  return waitSemaphore(*task, semaphore, deadlineOf(CLOCK_REALTIME, time), HERE);
}

DEADHEAT_INTERPOSE int sem_clockwait(sem_t *semaphore, clockid_t clock, const timespec *time) {
  Task *task = directed();
  if (!task) return DEADHEAT_REAL(sem_clockwait)(semaphore, clock, time);
  return waitSemaphore(*task, semaphore, deadlineOf(clock, time), HERE);
}

DEADHEAT_INTERPOSE int sem_trywait(sem_t *semaphore) {
  Task *task = directed();
  if (task) reach(*task, Action::Acquire, semaphore, HERE);
  const int status = DEADHEAT_REAL(sem_trywait)(semaphore);
  if (task && status == 0) noteTaken(*task, semaphore);
  return status;
}

DEADHEAT_INTERPOSE int sem_post(sem_t *semaphore) {
  Task *task = directed();
  if (task) reach(*task, Action::Signal, semaphore, HERE);
  const int status = DEADHEAT_REAL(sem_post)(semaphore);
  if (task)
    postSemaphore(*task, semaphore);
  else
    tellFromOutside(semaphore);
  return status;
}

// C11 mutexes are POSIX mutexes in glibc, their answers are not.
static int c11Status(int status) {
  if (status == 0) return thrd_success;
  return status == EBUSY ? thrd_busy : status == ETIMEDOUT ? thrd_timedout : thrd_error;
}

static pthread_mutex_t *posix(mtx_t *mutex) { return reinterpret_cast<pthread_mutex_t *>(mutex); }

DEADHEAT_INTERPOSE int mtx_lock(mtx_t *mutex) {
  Task *task = directed();
  return task ? c11Status(lockMutex(*task, posix(mutex), kNever, HERE)) : DEADHEAT_REAL(mtx_lock)(mutex);
}

DEADHEAT_INTERPOSE int mtx_timedlock(mtx_t *mutex, const timespec *time) {
  Task *task = directed();
  if (!task) return DEADHEAT_REAL(mtx_timedlock)(mutex, time);
  return c11Status(lockMutex(*task, posix(mutex), deadlineOf(CLOCK_REALTIME, time), HERE));
}

DEADHEAT_INTERPOSE int mtx_trylock(mtx_t *mutex) {
  Task *task = directed();
  if (task) reachTry(*task, Action::Acquire, mutex, HERE);
  const int status = DEADHEAT_REAL(mtx_trylock)(mutex);
  if (task && status == thrd_success) noteHeld(*task, mutex, 0);
  return status;
}

DEADHEAT_INTERPOSE int mtx_unlock(mtx_t *mutex) {
  reachUnlock(mutex, HERE);
  return c11Status(unlockMutex(posix(mutex)));
}

} // namespace deadheat::runtime::schedule
