// VERBS check
// SHOWN
// A barrier tells one of the threads that it is the one: what only that one does, nobody does at the same time.
#include <pthread.h>

static pthread_barrier_t barrier;
static int steps, rounds, told, others, open;

static void *work(void *arg) {
  for (int step = 0; step < 5; step++) {
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
      steps++; // NORACE
      told = step; // RACE early
    }
    open += told; // RACE early // RACE summed SELF
    int result = pthread_barrier_wait(&barrier);
    if (result == PTHREAD_BARRIER_SERIAL_THREAD)
      rounds++; // NORACE
    else
      others++; // RACE others SELF
    pthread_barrier_wait(&barrier);
  }
  return arg;
}

int main(void) {
  pthread_t threads[3];
  pthread_barrier_init(&barrier, NULL, 3);
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  return steps != 5 || rounds != 5;
}
