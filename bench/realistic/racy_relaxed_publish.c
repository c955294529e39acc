// SHOWN
// Publication of a snapshot by pointer: the writer's store is relaxed.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

struct snapshot {
  unsigned version;
  int limits[4];
};

static _Atomic(struct snapshot *) current;
static atomic_bool stop;

static void *reader(void *arg) {
  long sum = 0;
  while (!atomic_load_explicit(&stop, memory_order_relaxed)) {
    struct snapshot *s = atomic_load_explicit(&current, memory_order_acquire);
    if (s) sum += s->limits[2]; // RACE limits
    sched_yield();
  }
  *(long *)arg = sum;
  return NULL;
}

static void *updater(void *arg) {
  struct snapshot **kept = arg;
  for (int i = 0; i < 10; i++) {
    struct snapshot *s = malloc(sizeof *s);
    if (!s) break;
    for (int k = 0; k < 4; k++) s->limits[k] = i * k; // RACE limits
    kept[i] = s;
    atomic_store_explicit(&current, s, memory_order_relaxed);
    sched_yield();
  }
  return NULL;
}

int main(void) {
  pthread_t readers[2], writer;
  struct snapshot *kept[10] = {0};
  long sums[2];
  for (int i = 0; i < 2; i++) pthread_create(&readers[i], NULL, reader, &sums[i]);
  pthread_create(&writer, NULL, updater, kept);
  pthread_join(writer, NULL);
  atomic_store(&stop, 1);
  for (int i = 0; i < 2; i++) pthread_join(readers[i], NULL);
  for (int i = 0; i < 10; i++) free(kept[i]);
  printf("%ld\n", sums[0] + sums[1]);
  return 0;
}
