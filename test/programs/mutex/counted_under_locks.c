// VERBS run
// SHOWN
// One thread after the other, by a flag that orders nothing. Both count under locks, and neither looks at what the other counted, so locks
// that they happen to take in turn keep nothing apart. Who sees that he is the last to count has followed all the others.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static pthread_mutex_t stripes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static int used[2], total;
static int left = 2, arrived, parts[2], others[2];
static atomic_int turn;

static void count(int i) {
  pthread_mutex_lock(&stripes[i % 2]);
  used[i % 2]++;
  if (i > 3) total++; // RACE total SELF
  pthread_mutex_unlock(&stripes[i % 2]);
}

__attribute__((noinline)) static int all(void) { return arrived == 2; }

static void *work(void *argument) {
  int self = *(int *)argument, last, full;
  while (atomic_load_explicit(&turn, memory_order_relaxed) != self) continue;
  for (int i = 0; i < 8; i++) count(i);
  parts[self] = others[self] = 1;
  pthread_mutex_lock(&gate);
  last = --left == 0;
  pthread_mutex_unlock(&gate);
  if (last) printf("%d\n", parts[0] + parts[1]); // NORACE
  pthread_mutex_lock(&gate);
  arrived++;
  full = all();
  pthread_mutex_unlock(&gate);
  if (full) printf("%d\n", others[0] + others[1]); // NORACE
  atomic_store_explicit(&turn, self + 1, memory_order_relaxed);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  int numbers[2] = {0, 1};
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, &numbers[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
