// SHOWN
// Idle sessions are ended by cancellation; entering counts up under the lock, but the cleanup handler counts down without it.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

#define NSESSIONS 6

struct gate {
  pthread_mutex_t lock;
  int active;
  int peak;
};

struct session {
  pthread_t tid;
  struct gate *gate;
  atomic_uint ticks;
};

static void gate_enter(struct gate *g) {
  pthread_mutex_lock(&g->lock);
  g->active++;             // RACE enter
  if (g->active > g->peak) // RACE peek
    g->peak++;
  pthread_mutex_unlock(&g->lock);
}

static void gate_leave(void *arg) {
  struct gate *g = arg;

  g->active--; // RACE leave SELF // RACE enter // RACE peek
}

static void *session_main(void *arg) {
  struct session *s = arg;
  const struct timespec nap = {0, 500000};

  gate_enter(s->gate);
  pthread_cleanup_push(gate_leave, s->gate);
  for (;;) {
    nanosleep(&nap, NULL);
    atomic_fetch_add_explicit(&s->ticks, 1, memory_order_relaxed);
  }
  pthread_cleanup_pop(1);
  return NULL;
}

int main(void) {
  static struct gate gate = {.lock = PTHREAD_MUTEX_INITIALIZER};
  static struct session sessions[NSESSIONS];
  const struct timespec settle = {0, 4000000};

  for (int i = 0; i < NSESSIONS; i++) {
    sessions[i].gate = &gate;
    pthread_create(&sessions[i].tid, NULL, session_main, &sessions[i]);
  }
  nanosleep(&settle, NULL);
  for (int i = 0; i < NSESSIONS; i++) pthread_cancel(sessions[i].tid);
  for (int i = 0; i < NSESSIONS; i++) pthread_join(sessions[i].tid, NULL);
  printf("peak %s, active %d\n", gate.peak > 0 ? "known" : "unknown", gate.active);
  return 0;
}
