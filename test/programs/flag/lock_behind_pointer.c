// VERBS check confirm
// A lock that is kept behind a pointer is the same one after a call that may have made it.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t *gate;
static long limit, peak;
static int busy;
static pthread_mutex_t start = PTHREAD_MUTEX_INITIALIZER;

static void make_gate(void) {
  pthread_mutex_lock(&start);
  if (!busy && !gate) {
    busy = 1;
    pthread_mutex_t *made = malloc(sizeof *made);
    pthread_mutex_init(made, NULL);
    gate = made; // FALSE check: who reads it has passed the lock under which it was set once
    busy = 0;
  }
  pthread_mutex_unlock(&start);
}

static void set_limit(long wanted) {
  make_gate();
  pthread_mutex_lock(gate);   // FALSE check: who reads it has passed the lock under which it was set once
  limit = wanted;             // NORACE
  pthread_mutex_unlock(gate); // FALSE check: who reads it has passed the lock under which it was set once
  peak += 1;                  // RACE peak SELF
}

static void *worker(void *unused) {
  (void)unused;
  for (int i = 0; i < 9; ++i) set_limit(i);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return (int)(limit + peak);
}
