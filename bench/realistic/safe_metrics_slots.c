// VERBS check run
// FLAGS -Wall -std=gnu11
// SHOWN
// Metrics: every thread registers a slot of its own in a list and counts with relaxed atomics; a collector sums while they run.
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct slot {
  struct slot *next;
  atomic_ulong requests;
  atomic_ulong bytes;
  char name[24];
  unsigned long private_peak; // only its own thread, read after the join
};

static _Atomic(struct slot *) slots;
static _Thread_local struct slot *mine;
static atomic_bool quit;

static struct slot *slot_register(const char *name, int n) {
  struct slot *s = calloc(1, sizeof *s);
  if (!s) abort();
  snprintf(s->name, sizeof s->name, "%s-%d", name, n);
  s->next = atomic_load_explicit(&slots, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(&slots, &s->next, s, memory_order_release, memory_order_relaxed)) {
  }
  return s;
}

static void metric_request(unsigned long bytes) {
  atomic_fetch_add_explicit(&mine->requests, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&mine->bytes, bytes, memory_order_relaxed);
  if (bytes > mine->private_peak) mine->private_peak = bytes;
}

static unsigned long collect(unsigned long *bytes) {
  unsigned long requests = 0;
  *bytes = 0;
  for (struct slot *s = atomic_load_explicit(&slots, memory_order_acquire); s; s = s->next) {
    if (s->name[0] == '\0') continue;
    requests += atomic_load_explicit(&s->requests, memory_order_relaxed);
    *bytes += atomic_load_explicit(&s->bytes, memory_order_relaxed);
  }
  return requests;
}

static void *handler(void *arg) {
  mine = slot_register("handler", (int)(long)arg);
  for (unsigned i = 0; i < 200; i++) metric_request(i % 97);
  return mine;
}

static void *collector(void *arg) {
  unsigned long *last = arg, bytes;
  while (!atomic_load(&quit)) {
    *last = collect(&bytes);
    usleep(100);
  }
  return NULL;
}

int main(void) {
  pthread_t handlers[3], watch;
  unsigned long seen = 0, bytes, peak = 0;
  pthread_create(&watch, NULL, collector, &seen);
  for (long i = 0; i < 3; i++) pthread_create(&handlers[i], NULL, handler, (void *)i);
  for (int i = 0; i < 3; i++) {
    void *result;
    pthread_join(handlers[i], &result);
    struct slot *s = result;
    if (s->private_peak > peak) peak = s->private_peak;
  }
  atomic_store(&quit, true);
  pthread_join(watch, NULL);
  unsigned long total = collect(&bytes);
  printf("%lu of %lu, peak %lu\n", seen, total, peak);
  struct slot *s = atomic_load(&slots);
  while (s) {
    struct slot *n = s->next;
    free(s);
    s = n;
  }
  return total == 600 ? 0 : 1;
}
