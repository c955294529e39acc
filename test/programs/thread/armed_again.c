// VERBS check confirm
// A function that hands itself to a library, to be called again later, goes on when it has done so.
#include <pthread.h>
#include <stdlib.h>

static long before, after;

static int tick(const void *one, const void *other) {
  ++before; // RACE before SELF
  long own[1] = {1};
  qsort(own, 1, sizeof own[0], tick);
  ++after; // RACE after SELF
  return *(const long *)one < *(const long *)other;
}

static void *worker(void *unused) {
  (void)unused;
  long own[2] = {2, 1};
  qsort(own, 2, sizeof own[0], tick);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return (int)(before + after);
}
