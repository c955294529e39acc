// Read-write locks that are tried and waited for by the clock, recursive and error-checking mutexes, spin locks, barriers, and robust mutexes whose
// owner ends with them.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static pthread_rwlock_t book = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t deep, strict, robust;
static pthread_spinlock_t spin;
static pthread_barrier_t all;
static int shared, pages;

static struct timespec soon(long nanoseconds) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  time.tv_nsec += nanoseconds;
  time.tv_sec += time.tv_nsec / 1000000000;
  time.tv_nsec %= 1000000000;
  return time;
}

static void bump(void) {
  pthread_mutex_lock(&deep);
  pthread_mutex_lock(&deep);
  shared++; // aimed at
  pthread_mutex_unlock(&deep);
  pthread_mutex_unlock(&deep);
}

static void readAndWrite(void) {
  struct timespec time = soon(1000000);
  while (pthread_rwlock_tryrdlock(&book) != 0) sched_yield();
  pthread_rwlock_unlock(&book);
  if (pthread_rwlock_timedwrlock(&book, &time) == 0) {
    pages++;
    pthread_rwlock_unlock(&book);
  }
  time = soon(1000000);
  if (pthread_rwlock_timedrdlock(&book, &time) == 0) pthread_rwlock_unlock(&book);
  while (pthread_rwlock_trywrlock(&book) != 0) sched_yield();
  pages++;
  pthread_rwlock_unlock(&book);
}

static void *work(void *unused) {
  pthread_barrier_wait(&all);
  bump();
  readAndWrite();
  pthread_mutex_lock(&strict);
  if (pthread_mutex_lock(&strict) != EDEADLK) abort();
  pthread_mutex_unlock(&strict);
  pthread_spin_lock(&spin);
  pages++;
  pthread_spin_unlock(&spin);
  const int status = pthread_mutex_lock(&robust);
  if (status == EOWNERDEAD) pthread_mutex_consistent(&robust);
  if (status != 0 && status != EOWNERDEAD) abort();
  pthread_barrier_t *first = unused;
  if (!first) pthread_mutex_unlock(&robust); // else it ends with it
  return NULL;
}

static void initialise(pthread_mutex_t *mutex, int type, int robustness) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, type);
  pthread_mutexattr_setrobust(&attributes, robustness);
  pthread_mutex_init(mutex, &attributes);
}

int main(void) {
  pthread_t threads[4];
  initialise(&deep, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_STALLED);
  initialise(&strict, PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_STALLED);
  initialise(&robust, PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST);
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  pthread_barrier_init(&all, NULL, 4);
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, work, i < 2 ? &all : NULL);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  pthread_barrier_destroy(&all);
  return shared == 4 ? 0 : 1;
}
