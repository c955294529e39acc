// Threads: who creates whom, where they end, and who waits for that.
//
// The creator waits until the new thread has taken its number, so that whoever joins it can read the number from the new
// thread's memory: a pthread_t is the address that glibc's thread-local variables are counted from. The new thread waits until its
// creator is back from libc: an allocator of the program's own works in there, and that is before the new thread, too.
//
// A thread of std::thread is created where the program asks for it, not where the C++ library calls pthread_create.

#include <linux/futex.h>
#include <pthread.h>
#include <threads.h>

#include "runtime/interpose/interpose.h"
#include "runtime/interpose/memory.h"
#include "runtime/interpose/notices.h"
#include "runtime/interpose/threads.h"
#include "runtime/known.h"
#include "runtime/maps.h"

extern "C" void
_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE(void *made, void *state,
                                                                                      void (*depends)());

namespace deadheat::runtime {
namespace {

template <typename Routine> struct Start {
  Routine routine;
  void *argument;
  U32 number;
  U64 stackBytes;
  const Memory *creator;   // null: accesses are not remembered
  const abi::Known *known; // to the creator; null: it is not kept
  U32 spawned;             // a futex: the creator has told of the new thread, and does nothing meanwhile
  U32 taken;               // a futex: the new thread has read all of this
};

void raise(U32 &flag) {
  abi::storeRelease(flag, 1u);
  systemCall(__NR_futex, &flag, FUTEX_WAKE_PRIVATE, 1);
}

void awaitRaised(const U32 &flag) {
  while (abi::loadAcquire(flag) == 0) systemCall(__NR_futex, &flag, FUTEX_WAIT_PRIVATE, 0, nullptr);
}

using PosixRoutine = void *(*)(void *);

// glibc makes so many rounds of destructors: in the last one, those of the program have run.
constexpr U64 kLastRound = 4;
constexpr U32 kNoKey = ~0u;

pthread_key_t endKey = kNoKey;

void endThread(void *round) {
  const U64 next = reinterpret_cast<U64>(round) + 1;
  if (next <= kLastRound)
    NEXT(pthread_setspecific)(endKey, reinterpret_cast<void *>(next));
  else
    leaveThread(CALLER);
}

// Threads that create threads at the same time may make a key too many; it is never used.
void makeEndKey() {
  pthread_key_t made;
  if (abi::loadAcquire(endKey) != kNoKey || NEXT(pthread_key_create)(&made, endThread) != 0) return;
  pthread_key_t none = kNoKey;
  __atomic_compare_exchange_n(&endKey, &none, made, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

U64 stackBytesOf(const pthread_attr_t *attributes) {
  pthread_attr_t standard;
  size_t bytes = 0;
  if (!attributes && NEXT(pthread_attr_init)(&standard) == 0) attributes = &standard;
  if (attributes) NEXT(pthread_attr_getstacksize)(attributes, &bytes);
  return bytes;
}

// The memory of a stack is the next thread's as soon as its thread has ended, and nobody need have waited for that: what a thread did there comes
// before what the next one does. Nothing is allocated: that is for the stamp. Both have the thread pointer at the same place, whatever the
// stack's size.
void stampStack(const Caller &caller) { tellAllocated(threadPointer(), 0, caller); }

// The memory of a stack may have been another thread's. It ends with thread-local variables and glibc's description of the thread.
void tellStack(U64 bytes, const Caller &caller) {
  constexpr U64 kPage = 4096;
  const U64 end = (threadPointer() + kPage) / kPage * kPage;
  const U64 begin = end - bytes;
  if (bytes > kPage && begin < caller.frame && caller.frame < end) tellAllocated(begin, end - begin, caller);
}

constexpr U64 kKeysInThread = 32; // glibc's description of a thread has room for the values of so many

// Of the region that a thread is in, what lies below glibc's description of it.
void tellStackAround(const Caller &caller) {
  constexpr U64 kMostStack = U64(1) << 24; // in a larger region it is not alone
  const U64 end = threadPointer();
  Maps maps;
  for (Region region; maps.next(region);)
    if (region.begin < caller.frame && caller.frame < end && end < region.end && end - region.begin <= kMostStack)
      return tellAllocated(region.begin, end - region.begin, caller);
}

template <typename Routine> auto runThread(void *given) {
  auto &start = *static_cast<Start<Routine> *>(given);
  awaitRaised(start.spawned);
  const auto [routine, argument, number, stackBytes, creator, known, spawned, taken] = start;
  thread.number = number;
  tellEvent(CALLER, EventKind::Begin, number, reinterpret_cast<U64>(routine));
  if (creator) inherit(thread, *creator);
  inheritKnown(thread, known);
  stampStack(CALLER);
  tellStack(stackBytes, CALLER);
  if (abi::loadAcquire(endKey) != kNoKey) NEXT(pthread_setspecific)(endKey, reinterpret_cast<void *>(1));
  raise(start.taken);
  return routine(argument);
}

template <typename Routine, typename Next>
int spawn(Routine routine, void *argument, U64 stackBytes, const Caller &caller, Next next) {
  makeEndKey();
  Start<Routine> start{routine, argument, abi::fetchAdd(context.page->threads, 1u) + 1, stackBytes, nullptr, nullptr,
                       0,       0};
  thread.inLibrary = true;
  const int result = next(&start);
  thread.inLibrary = false;
  if (result != 0) return result;
  tellEvent(caller, EventKind::Spawn, start.number, caller.returns);
  endPiece(thread);
  start.creator = thread.memory;
  start.known = knownOf(thread);
  raise(start.spawned);
  awaitRaised(start.taken);
  return 0;
}

template <typename Next> int join(U64 joined, const Caller &caller, Next next) {
  const U32 number = threadOf(joined).number;
  const int result = next();
  if (result != 0 || number == 0) return result;
  tellEvent(caller, EventKind::Join, number);
  noteJoined(thread, number);
  return result;
}

bool isFollowed() { return isAttached() && tells(thread); }

Caller starter(const Caller &caller) {
  const U64 starts = thread.startsFrom;
  thread.startsFrom = 0;
  return {caller.frame, starts != 0 ? starts : caller.returns};
}

} // namespace

void meetThread() {
  if (systemCall(__NR_gettid) == context.pid) return;
  const Caller caller{thisFrame(), 0};
  makeEndKey();
  if (abi::loadAcquire(endKey) < kKeysInThread) NEXT(pthread_setspecific)(endKey, reinterpret_cast<void *>(1));
  stampStack(caller);
  tellStackAround(caller);
  tellNoticed(caller);
}

void leaveThread(const Caller &caller) {
  if (isAttached()) endKnowing(thread, caller.frame);
  stampStack(caller);
  tellEvent(caller, EventKind::End, thread.number);
  if (isAttached()) closeThread(thread);
}

#define JOIN(name, parameters, arguments)                                                                              \
  INTERPOSE(int, name, parameters) {                                                                                   \
    if (!isFollowed()) return NEXT(name) arguments;                                                                    \
    return join(joined, CALLER, [&] { return NEXT(name) arguments; });                                                 \
  }

using Time = const timespec *;

INTERPOSE(int, pthread_create,
          (pthread_t * created, const pthread_attr_t *attributes, PosixRoutine routine, void *argument)) {
  if (!isFollowed()) return NEXT(pthread_create)(created, attributes, routine, argument);
  return spawn(routine, argument, stackBytesOf(attributes), starter(CALLER),
               [&](void *start) { return NEXT(pthread_create)(created, attributes, runThread<PosixRoutine>, start); });
}

// Goes on by a jump: it may throw.
INTERPOSE(void, _ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE,
          (void *made, void *state, void (*depends)())) {
  if (isFollowed()) thread.startsFrom = CALLER.returns;
  [[clang::musttail]] return NEXT(
      _ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE)(made, state, depends);
}

INTERPOSE(int, thrd_create, (thrd_t * created, thrd_start_t routine, void *argument)) {
  if (!isFollowed()) return NEXT(thrd_create)(created, routine, argument);
  return spawn(routine, argument, stackBytesOf(nullptr), CALLER,
               [&](void *start) { return NEXT(thrd_create)(created, runThread<thrd_start_t>, start); });
}

JOIN(pthread_join, (pthread_t joined, void **result), (joined, result))
JOIN(pthread_tryjoin_np, (pthread_t joined, void **result), (joined, result))
JOIN(pthread_timedjoin_np, (pthread_t joined, void **result, Time until), (joined, result, until))
JOIN(pthread_clockjoin_np, (pthread_t joined, void **result, clockid_t clock, Time until),
     (joined, result, clock, until))
JOIN(thrd_join, (thrd_t joined, int *result), (joined, result))

} // namespace deadheat::runtime
