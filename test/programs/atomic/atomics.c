// VERBS check confirm
// Atomic accesses race with plain ones only; neighbouring bit fields share their memory.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int counter;
static int mixed;
static volatile int flag;
static struct {
  unsigned low : 4;
  unsigned high : 4;
} bits;

static void *first(void *unused) {
  counter += 1;                                    // NORACE
  __atomic_fetch_add(&mixed, 1, __ATOMIC_SEQ_CST); // RACE mixed
  flag = 1;                                        // RACE flag
  bits.low = 3;                                    // RACE bits
  return unused;
}

static void *second(void *unused) {
  counter += 1;                // NORACE
  mixed += 1;                  // RACE mixed
  bits.high = 3;               // RACE bits
  return flag ? unused : NULL; // RACE flag
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
