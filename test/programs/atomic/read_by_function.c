// VERBS check confirm
// What a function reads atomically for its caller orders like an atomic that the caller reads itself.
#include <pthread.h>
#include <stdatomic.h>

static atomic_ulong pending[4];
static int operation;
static long rounds;

static unsigned long get_pending(long i) { return atomic_load(&pending[i]); }
static void set_pending(long i, unsigned long count) { atomic_store(&pending[i], count); }

static void *worker(void *own) {
  long id = (long)own;
  for (;;) {
    rounds += 1; // RACE rounds SELF
    if (get_pending(id) == 0) continue;
    if (operation == 2) // NORACE the first thread sets it before it tells
      return NULL;
    set_pending(id, 0);
  }
}

int main(void) {
  pthread_t threads[3];
  for (long i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, worker, (void *)i);
  for (int round = 0; round < 5; ++round) {
    operation = round < 4 ? 1 : 2; // NORACE
    for (long i = 0; i < 3; ++i) set_pending(i, 1);
    for (long i = 0; i < 3 && round < 4; ++i)
      while (get_pending(i) != 0) {
      }
  }
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  return 0;
}
