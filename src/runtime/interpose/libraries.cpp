// Libraries whose own synchronisation is compiled into them, so that nobody sees it from outside: the atomic operations of the Apache
// Portable Runtime, and GLib's mutexes, conditions and queues, which do not use those of POSIX.
//
// Claim   What such a call orders is ordered here. An atomic operation is told as one that lets others go on, before, and as one that
//         waited for others, after: that may order more than happened, never less, so no race is reported that the call prevents.
// Misses  races that hide behind such order; accesses that the operations make themselves; functions that these libraries call in
//         themselves, as what GLib's pools of threads hand on.

#include "runtime/interpose/interpose.h"

namespace deadheat::runtime {
namespace {

using U32Cell = volatile U32;
using U64Cell = volatile U64;
using Pointer = volatile void *;

Sync orderOf(const volatile void *object) { return {SyncKind::User, const_cast<const void *>(object)}; }
Sync lockOf(const void *lock, U8 flags) { return {SyncKind::Mutex, lock, flags}; }

// GLib's mutex is a word that is zero while it is free.
bool looksFree(const void *lock) { return abi::loadRelaxed(*static_cast<const U32 *>(lock)) == 0; }

void give(const Sync &sync, const Caller &caller) {
  if (isAttached()) tellSignal(sync, caller);
}

void learn(const Sync &sync, const Caller &caller) {
  if (isAttached()) tellWait(sync, caller);
}

void acquireAgain(const void *lock, const Caller &caller) { tellAcquire(lockOf(lock, 0), caller); }

} // namespace

// What lies behind, without these libraries' headers.
#define BEHIND(name) (reinterpret_cast<decltype(&deadheat_##name)>(nextFunction(Symbol::name)))

#define LOAD(result, name, type)                                                                                       \
  INTERPOSE(result, name, (type * object)) {                                                                           \
    const auto before = BEHIND(name)(object);                                                                          \
    learn(orderOf(object), CALLER);                                                                                    \
    return before;                                                                                                     \
  }
#define GIVE(name, parameters, arguments)                                                                              \
  INTERPOSE(void, name, parameters) {                                                                                  \
    give(orderOf(object), CALLER);                                                                                     \
    BEHIND(name) arguments;                                                                                            \
  }
#define CHANGE(result, name, parameters, arguments)                                                                    \
  INTERPOSE(result, name, parameters) {                                                                                \
    give(orderOf(object), CALLER);                                                                                     \
    const auto before = BEHIND(name) arguments;                                                                        \
    learn(orderOf(object), CALLER);                                                                                    \
    return before;                                                                                                     \
  }
#define CHANGES_OF(bits, type)                                                                                         \
  LOAD(type, apr_atomic_read##bits, type##Cell)                                                                        \
  GIVE(apr_atomic_set##bits, (type##Cell * object, type value), (object, value))                                       \
  CHANGE(type, apr_atomic_add##bits, (type##Cell * object, type value), (object, value))                               \
  INTERPOSE(void, apr_atomic_sub##bits, (type##Cell * object, type value)) {                                           \
    give(orderOf(object), CALLER);                                                                                     \
    BEHIND(apr_atomic_sub##bits)(object, value);                                                                       \
    learn(orderOf(object), CALLER);                                                                                    \
  }                                                                                                                    \
  CHANGE(type, apr_atomic_inc##bits, (type##Cell * object), (object))                                                  \
  CHANGE(int, apr_atomic_dec##bits, (type##Cell * object), (object))                                                   \
  CHANGE(type, apr_atomic_cas##bits, (type##Cell * object, type with, type expected), (object, with, expected))        \
  CHANGE(type, apr_atomic_xchg##bits, (type##Cell * object, type value), (object, value))

CHANGES_OF(32, U32)
CHANGES_OF(64, U64)
CHANGE(void *, apr_atomic_casptr, (Pointer * object, void *with, const void *expected), (object, with, expected))
CHANGE(void *, apr_atomic_xchgptr, (Pointer * object, void *with), (object, with))

INTERPOSE(void, g_mutex_lock, (void *lock)) {
  if (isAttached() && !looksFree(lock)) tellWant(lockOf(lock, 0), CALLER);
  BEHIND(g_mutex_lock)(lock);
  tellAcquire(lockOf(lock, 0), CALLER);
}

INTERPOSE(int, g_mutex_trylock, (void *lock)) {
  const int taken = BEHIND(g_mutex_trylock)(lock);
  if (taken) tellAcquire(lockOf(lock, abi::kTried), CALLER);
  return taken;
}

INTERPOSE(void, g_mutex_unlock, (void *lock)) {
  tellRelease(lockOf(lock, abi::kWriter), CALLER);
  BEHIND(g_mutex_unlock)(lock);
}

INTERPOSE(void, g_cond_wait, (void *object, void *lock)) {
  tellRelease(lockOf(lock, abi::kWriter), CALLER);
  BEHIND(g_cond_wait)(object, lock);
  acquireAgain(lock, CALLER);
}

INTERPOSE(int, g_cond_wait_until, (void *object, void *lock, long until)) {
  tellRelease(lockOf(lock, abi::kWriter), CALLER);
  const int signalled = BEHIND(g_cond_wait_until)(object, lock, until);
  acquireAgain(lock, CALLER);
  return signalled;
}

// A bit of a word: other bits may be locks of their own, so it is no more than an order.
INTERPOSE(void, g_bit_lock, (U32Cell * object, int bit)) {
  BEHIND(g_bit_lock)(object, bit);
  learn(orderOf(object), CALLER);
}
CHANGE(int, g_bit_trylock, (U32Cell * object, int bit), (object, bit))
GIVE(g_bit_unlock, (U32Cell * object, int bit), (object, bit))

// As with a static of a function: compiled code looks at the word itself.
INTERPOSE(int, g_once_init_enter, (Pointer object)) {
  const int mine = BEHIND(g_once_init_enter)(object);
  if (!mine) learn({SyncKind::Once, const_cast<const void *>(object)}, CALLER);
  return mine;
}

INTERPOSE(void, g_once_init_leave, (Pointer object, U64 value)) {
  give({SyncKind::Once, const_cast<const void *>(object)}, CALLER);
  BEHIND(g_once_init_leave)(object, value);
}

#define TAKE_OUT(name, parameters, arguments)                                                                          \
  INTERPOSE(void *, name, parameters) {                                                                                \
    void *const taken = BEHIND(name) arguments;                                                                        \
    if (taken) learn(orderOf(object), CALLER);                                                                         \
    return taken;                                                                                                      \
  }

GIVE(g_async_queue_push, (void *object, void *data), (object, data))
GIVE(g_async_queue_push_front, (void *object, void *data), (object, data))
GIVE(g_async_queue_push_sorted, (void *object, void *data, void *compare, void *user), (object, data, compare, user))
TAKE_OUT(g_async_queue_pop, (void *object), (object))
TAKE_OUT(g_async_queue_try_pop, (void *object), (object))
TAKE_OUT(g_async_queue_timeout_pop, (void *object, U64 until), (object, until))

} // namespace deadheat::runtime
