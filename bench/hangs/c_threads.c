// Threads of C11: mutexes and conditions with deadlines, call_once, thread-specific storage with destructors, detached threads.
#include <threads.h>
#include <time.h>

enum { kThreads = 4 };
static mtx_t gate, timed;
static cnd_t changed;
static once_flag once = ONCE_FLAG_INIT;
static tss_t key;
static int shared, left, prepared;

static void prepare(void) { prepared++; }

static void bump(void *unused) {
  (void)unused;
  mtx_lock(&gate);
  shared++; // aimed at
  cnd_broadcast(&changed);
  mtx_unlock(&gate);
}

static struct timespec soon(void) {
  struct timespec time;
  timespec_get(&time, TIME_UTC);
  time.tv_sec++;
  return time;
}

static int work(void *unused) {
  (void)unused;
  call_once(&once, prepare);
  tss_set(key, &key);
  bump(NULL);
  struct timespec time = soon();
  if (mtx_timedlock(&timed, &time) == thrd_success) {
    thrd_sleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    mtx_unlock(&timed);
  }
  mtx_lock(&gate);
  time = soon();
  while (shared < kThreads && cnd_timedwait(&changed, &gate, &time) != thrd_timedout) {
  }
  left++;
  cnd_broadcast(&changed);
  mtx_unlock(&gate);
  thrd_yield();
  return 7;
}

int main(void) {
  thrd_t threads[kThreads];
  mtx_init(&gate, mtx_plain);
  mtx_init(&timed, mtx_timed);
  cnd_init(&changed);
  tss_create(&key, bump);
  for (int i = 0; i < kThreads; i++) thrd_create(&threads[i], work, NULL);
  for (int i = 0; i < kThreads - 1; i++) {
    int result = 0;
    thrd_join(threads[i], &result);
    if (result != 7) return 1;
  }
  thrd_detach(threads[kThreads - 1]);
  mtx_lock(&gate);
  while (shared < 2 * kThreads || left < kThreads) cnd_wait(&changed, &gate);
  mtx_unlock(&gate);
  return prepared == 1 ? 0 : 1;
}
