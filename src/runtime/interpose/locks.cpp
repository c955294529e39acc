// Mutexes, read-write locks and spin locks, of POSIX and of C11.

#include <errno.h>
#include <pthread.h>
#include <threads.h>

#include "runtime/interpose/interpose.h"

namespace deadheat::runtime {
namespace {

// glibc counts the holds of a recursive mutex; it may be asked by the thread that holds it.
U8 holdFlags(const pthread_mutex_t *mutex) {
  constexpr int kKindBits = 3;
  const bool recursive = (mutex->__data.__kind & kKindBits) == PTHREAD_MUTEX_RECURSIVE_NP;
  return recursive && mutex->__data.__count > 1 ? abi::kRecursive : 0;
}

U8 holdFlags(const mtx_t *mutex) { return holdFlags(reinterpret_cast<const pthread_mutex_t *>(mutex)); }
U8 holdFlags(const pthread_rwlock_t *) { return 0; }
U8 holdFlags(const volatile int *) { return 0; } // a spin lock

U8 releaseFlags(const pthread_rwlock_t *lock) { return lock->__data.__cur_writer != 0 ? abi::kWriter : abi::kShared; }
template <typename Lock> U8 releaseFlags(const Lock *lock) { return holdFlags(lock) | abi::kWriter; }

// A look, no more: who finds a lock free will hardly wait for it.
bool looksFree(const pthread_mutex_t *mutex) { return abi::loadRelaxed(mutex->__data.__lock) == 0; }
bool looksFree(const mtx_t *mutex) { return looksFree(reinterpret_cast<const pthread_mutex_t *>(mutex)); }
bool looksFree(const pthread_rwlock_t *lock) {
  return abi::loadRelaxed(lock->__data.__readers) == 0 && abi::loadRelaxed(lock->__data.__writers) == 0;
}
bool looksFree(const volatile int *lock) { return *lock == 1; }

template <typename Lock, typename Next>
int takeLock(Lock *lock, SyncKind kind, U8 flags, const Caller &caller, Next next) {
  const void *object = const_cast<const void *>(static_cast<const volatile void *>(lock));
  if (!(flags & abi::kTried) && !looksFree(lock)) tellWant({kind, object, flags}, caller);
  const int result = next();
  const bool taken = result == 0 || (kind == SyncKind::Mutex && result == EOWNERDEAD);
  if (taken) tellAcquire({kind, object, static_cast<U8>(flags | holdFlags(lock))}, caller);
  return result;
}

template <typename Lock> void leaveLock(Lock *lock, SyncKind kind, const Caller &caller) {
  const void *object = const_cast<const void *>(static_cast<const volatile void *>(lock));
  tellRelease({kind, object, releaseFlags(lock)}, caller);
}

constexpr U8 kPlain = 0;
using abi::kShared;
using abi::kTried;

} // namespace

#define TAKE(name, parameters, arguments, kind, flags)                                                                 \
  INTERPOSE(int, name, parameters) {                                                                                   \
    if (!isAttached()) return NEXT(name) arguments;                                                                    \
    return takeLock(lock, SyncKind::kind, flags, CALLER, [&] { return NEXT(name) arguments; });                        \
  }
#define LEAVE(name, type, kind)                                                                                        \
  INTERPOSE(int, name, (type * lock)) {                                                                                \
    if (isAttached()) leaveLock(lock, SyncKind::kind, CALLER);                                                         \
    return NEXT(name)(lock);                                                                                           \
  }

using Time = const timespec *;

TAKE(pthread_mutex_lock, (pthread_mutex_t * lock), (lock), Mutex, kPlain)
TAKE(pthread_mutex_trylock, (pthread_mutex_t * lock), (lock), Mutex, kTried)
TAKE(pthread_mutex_timedlock, (pthread_mutex_t * lock, Time until), (lock, until), Mutex, kPlain)
TAKE(pthread_mutex_clocklock, (pthread_mutex_t * lock, clockid_t clock, Time until), (lock, clock, until), Mutex,
     kPlain)
LEAVE(pthread_mutex_unlock, pthread_mutex_t, Mutex)

TAKE(pthread_rwlock_rdlock, (pthread_rwlock_t * lock), (lock), RwLock, kShared)
TAKE(pthread_rwlock_tryrdlock, (pthread_rwlock_t * lock), (lock), RwLock, kShared | kTried)
TAKE(pthread_rwlock_timedrdlock, (pthread_rwlock_t * lock, Time until), (lock, until), RwLock, kShared)
TAKE(pthread_rwlock_clockrdlock, (pthread_rwlock_t * lock, clockid_t clock, Time until), (lock, clock, until), RwLock,
     kShared)
TAKE(pthread_rwlock_wrlock, (pthread_rwlock_t * lock), (lock), RwLock, kPlain)
TAKE(pthread_rwlock_trywrlock, (pthread_rwlock_t * lock), (lock), RwLock, kTried)
TAKE(pthread_rwlock_timedwrlock, (pthread_rwlock_t * lock, Time until), (lock, until), RwLock, kPlain)
TAKE(pthread_rwlock_clockwrlock, (pthread_rwlock_t * lock, clockid_t clock, Time until), (lock, clock, until), RwLock,
     kPlain)
LEAVE(pthread_rwlock_unlock, pthread_rwlock_t, RwLock)

TAKE(pthread_spin_lock, (pthread_spinlock_t * lock), (lock), SpinLock, kPlain)
TAKE(pthread_spin_trylock, (pthread_spinlock_t * lock), (lock), SpinLock, kTried)
LEAVE(pthread_spin_unlock, pthread_spinlock_t, SpinLock)

MAKE(Mutex, pthread_mutex_init, (pthread_mutex_t * lock, const pthread_mutexattr_t *attributes), (lock, attributes),
     lock)
MAKE(Mutex, pthread_mutex_destroy, (pthread_mutex_t * lock), (lock), lock)
MAKE(RwLock, pthread_rwlock_init, (pthread_rwlock_t * lock, const pthread_rwlockattr_t *attributes), (lock, attributes),
     lock)
MAKE(RwLock, pthread_rwlock_destroy, (pthread_rwlock_t * lock), (lock), lock)
MAKE(SpinLock, pthread_spin_init, (pthread_spinlock_t * lock, int shared), (lock, shared), lock)
MAKE(SpinLock, pthread_spin_destroy, (pthread_spinlock_t * lock), (lock), lock)

TAKE(mtx_lock, (mtx_t * lock), (lock), Mutex, kPlain)
TAKE(mtx_trylock, (mtx_t * lock), (lock), Mutex, kTried)
TAKE(mtx_timedlock, (mtx_t * lock, Time until), (lock, until), Mutex, kPlain)
LEAVE(mtx_unlock, mtx_t, Mutex)

} // namespace deadheat::runtime
