// Waits that end by the clock: on a condition, a semaphore, a lock; and one that another thread ends in time.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <time.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER, taken = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static sem_t never;
static int shared, go;

static struct timespec soon(int clock, long milliseconds) {
  struct timespec time;
  clock_gettime(clock, &time);
  time.tv_nsec += milliseconds * 1000000;
  time.tv_sec += time.tv_nsec / 1000000000;
  time.tv_nsec %= 1000000000;
  return time;
}

static void *wait(void *unused) {
  struct timespec time = soon(CLOCK_REALTIME, 5);
  if (sem_timedwait(&never, &time) != -1 || errno != ETIMEDOUT) abort();
  time = soon(CLOCK_REALTIME, 5);
  if (pthread_mutex_timedlock(&taken, &time) != ETIMEDOUT) abort();
  pthread_mutex_lock(&gate);
  shared++; // aimed at
  time = soon(CLOCK_REALTIME, 2);
  if (!go) pthread_cond_timedwait(&changed, &gate, &time);
  while (!go) {
    time = soon(CLOCK_MONOTONIC, 1);
    pthread_cond_clockwait(&changed, &gate, CLOCK_MONOTONIC, &time);
  }
  pthread_mutex_unlock(&gate);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  sem_init(&never, 0, 0);
  pthread_mutex_lock(&taken);
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, wait, NULL);
  struct timespec pause = {0, 20000000};
  nanosleep(&pause, NULL);
  pthread_mutex_lock(&gate);
  go = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&gate);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  return shared == 3 ? 0 : 1;
}
