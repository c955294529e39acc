// VERBS check
// SHOWN
// Who tries a lock may ask whether it was busy, or whether the time was over, instead of whether it was taken.
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static mtx_t other;
static long total, late, twice, skipped, wrong;

static int flush(long n, int must) {
  if (must) {
    pthread_mutex_lock(&lock);
  } else {
    int rc = pthread_mutex_trylock(&lock);
    if (rc == EBUSY) return 0;
    if (rc != 0) abort();
  }
  total += n; // NORACE
  pthread_mutex_unlock(&lock);
  return 1;
}

static void wait_long(void) {
  struct timespec when = {.tv_sec = 1};
  if (pthread_mutex_timedlock(&lock, &when) != ETIMEDOUT) {
    late++; // NORACE
    pthread_mutex_unlock(&lock);
  }
}

static void count(void) {
  if (mtx_trylock(&other) != thrd_busy) {
    twice++; // NORACE
    mtx_unlock(&other);
  }
  int rc = pthread_mutex_trylock(&lock);
  if (rc == EINVAL) abort();
  skipped++; // RACE unasked SELF
  if (rc == EBUSY) wrong++; // RACE busy SELF
  if (rc == 0) pthread_mutex_unlock(&lock);
}

static void *work(void *arg) {
  if (!flush(1, 0)) flush(1, 1);
  wait_long();
  count();
  return arg;
}

int main(void) {
  pthread_t threads[2];
  mtx_init(&other, mtx_plain);
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return total != 2;
}
