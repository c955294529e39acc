// A barrier parts one phase from the next, for all threads.
#include <pthread.h>
#include <stdio.h>

enum { kThreads = 3 };

static pthread_barrier_t phase;
static int cells[kThreads];
static int total;

static void *work(void *argument) {
  int *own = argument;
  *own = 1; // NORACE one element per thread
  pthread_barrier_wait(&phase);
  int sum = 0;
  for (int i = 0; i < kThreads; ++i) sum += cells[i]; // NORACE written in the phase before
  total += sum;                                       // RACE total SELF
  return NULL;
}

int main(void) {
  pthread_t threads[kThreads];
  pthread_barrier_init(&phase, NULL, kThreads);
  for (int i = 0; i < kThreads; ++i) pthread_create(&threads[i], NULL, work, &cells[i]);
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], NULL);
  printf("%d\n", cells[0]);
  return total == 0;
}
