// What one operation costs: each in a loop, one thread, the least of some rounds, in nanoseconds. So short that others on the machine hardly matter.
//
//   clang-19 -O2 -g -pthread -fno-builtin operations.c -o plain && ./plain
//   deadheat-cc -O2 -g -pthread -fno-builtin operations.c -o watched && deadheat run -q -- ./watched
//
// Claim   In a sampled run nothing of this has to be told after the first rounds, but for what is sampled.
// Misses  Caches: all that is looked at stays near. Threads that share.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

enum { kRounds = 200, kTimes = 2000, kBytes = 64 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static atomic_long counter;
static volatile long sum;
static int ends[2], queue;
static char from[kBytes], to[kBytes];

__attribute__((noinline)) static void shortCall(void) { sum++; }

#define OPERATIONS                                                                                                     \
  OPERATION("lock, unlock", pthread_mutex_lock(&mutex); pthread_mutex_unlock(&mutex))                                  \
  OPERATION("inside another", pthread_mutex_lock(&mutex); pthread_mutex_lock(&inner); pthread_mutex_unlock(&inner);    \
            pthread_mutex_unlock(&mutex))                                                                              \
  OPERATION("rdlock, unlock", pthread_rwlock_rdlock(&rwlock); pthread_rwlock_unlock(&rwlock))                          \
  OPERATION("spin lock, unlock", pthread_spin_lock(&spin); pthread_spin_unlock(&spin))                                 \
  OPERATION("add, relaxed", atomic_fetch_add_explicit(&counter, 1, memory_order_relaxed))                              \
  OPERATION("add", atomic_fetch_add(&counter, 1))                                                                      \
  OPERATION("store, release", atomic_store_explicit(&counter, 1, memory_order_release))                                \
  OPERATION("load, acquire", (void)atomic_load_explicit(&counter, memory_order_acquire))                               \
  OPERATION("malloc, free", free(memset(malloc(kBytes), 1, 1)))                                                        \
  OPERATION("memcpy", memcpy(to, from, kBytes))                                                                        \
  OPERATION("call", shortCall())                                                                                       \
  OPERATION("pipe", (void)!write(ends[1], from, 1); (void)!read(ends[0], to, 1))                                       \
  OPERATION("epoll_wait", struct epoll_event event; epoll_wait(queue, &event, 1, 0))

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e9 + time.tv_nsec;
}

#define OPERATION(name, ...)                                                                                           \
  {                                                                                                                    \
    double least = 1e18;                                                                                               \
    for (int round = 0; round != kRounds; round++) {                                                                   \
      const double began = now();                                                                                      \
      for (int i = 0; i != kTimes; i++) {                                                                              \
        __VA_ARGS__;                                                                                                   \
      }                                                                                                                \
      const double each = (now() - began) / kTimes;                                                                    \
      if (each < least) least = each;                                                                                  \
    }                                                                                                                  \
    printf("%-18s %8.1f\n", name, least);                                                                              \
  }

static void *none(void *argument) { return argument; }

int main(void) {
  pthread_t other; // a process of one thread is another matter to libc
  pthread_create(&other, NULL, none, NULL);
  pthread_join(other, NULL);
  pthread_spin_init(&spin, 0);
  queue = epoll_create1(0);
  if (pipe(ends) != 0 || queue < 0) return 1;
  OPERATIONS
  return 0;
}
