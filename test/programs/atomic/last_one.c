// VERBS check
// SHOWN
// Who takes the last number of a counter is alone with what it does then; who looks at the counter, or is one of the last two, is not.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { kParts = 4 };

static atomic_int left = kParts, others = kParts;
static int parts[kParts];
static int total, late, looked;

static void finish(void) {
  for (int i = 0; i < kParts; i++) total += parts[i]; // NORACE by the last one, after all others
}

static void *work(void *arg) {
  int number = (int)(long)arg;
  parts[number] = number * number; // NORACE
  if (atomic_fetch_sub(&left, 1) == 1) finish();
  if (atomic_fetch_sub(&others, 1) <= 2) late++; // RACE late SELF
  if (atomic_load(&left) == 0) looked++; // RACE looked SELF
  return NULL;
}

int main(void) {
  pthread_t threads[kParts];
  for (long i = 0; i < kParts; i++) pthread_create(&threads[i], NULL, work, (void *)i);
  for (int i = 0; i < kParts; i++) pthread_join(threads[i], NULL);
  printf("%d %d %d\n", total, late, looked);
  return 0;
}
