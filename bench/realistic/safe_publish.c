// SHOWN
// Configuration published by pointer with release and acquire; old versions are kept until shutdown.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct config {
  struct config *older;
  unsigned version;
  int timeout_ms;
  size_t nhosts;
  char hosts[][24];
};

static _Atomic(struct config *) active;
static atomic_bool shutting_down;

static struct config *config_build(unsigned version, size_t nhosts) {
  struct config *c = malloc(sizeof *c + nhosts * sizeof c->hosts[0]);
  if (!c) abort();
  c->version = version; // NORACE before it is published
  c->timeout_ms = 100 * (int)version;
  c->nhosts = nhosts;
  for (size_t i = 0; i < nhosts; i++) snprintf(c->hosts[i], sizeof c->hosts[i], "host-%u-%zu", version, i);
  return c;
}

static void config_publish(struct config *c) {
  c->older = atomic_load_explicit(&active, memory_order_relaxed); // NORACE before it is published
  atomic_store_explicit(&active, c, memory_order_release);
}

static void *resolver(void *arg) {
  unsigned long *letters = arg;
  unsigned last = 0;
  while (!atomic_load(&shutting_down)) {
    const struct config *c = atomic_load_explicit(&active, memory_order_acquire);
    if (c->version != last) {
      last = c->version;
      for (size_t i = 0; i < c->nhosts; i++) *letters += strlen(c->hosts[i]);
    }
    sched_yield();
  }
  return NULL;
}

static void *reloader(void *unused) {
  for (unsigned v = 2; v < 12; v++) {
    config_publish(config_build(v, v % 5 + 1));
    sched_yield();
  }
  return unused;
}

int main(void) {
  pthread_t readers[3], writer;
  unsigned long letters[3] = {0};
  config_publish(config_build(1, 2));
  for (int i = 0; i < 3; i++) pthread_create(&readers[i], NULL, resolver, &letters[i]);
  pthread_create(&writer, NULL, reloader, NULL);
  pthread_join(writer, NULL);
  atomic_store(&shutting_down, true);
  unsigned long sum = 0;
  for (int i = 0; i < 3; i++) {
    pthread_join(readers[i], NULL);
    sum += letters[i];
  }
  for (struct config *c = atomic_load(&active); c;) {
    struct config *older = c->older;
    free(c);
    c = older;
  }
  printf("%d\n", sum > 0);
  return 0;
}
