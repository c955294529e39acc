// Threads of one entry function: a line can race with itself, and each thread's own argument is its own.
#include <pthread.h>
#include <stdio.h>

enum { kWorkers = 4, kRounds = 1000 };

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static long finished;
static long hits;

static void *work(void *argument) {
  long *own = argument;
  for (int round = 0; round < kRounds; ++round) *own += 1; // NORACE one element per thread
  hits += *own;                                            // RACE hits SELF
  pthread_mutex_lock(&gate);
  finished += 1; // NORACE
  pthread_mutex_unlock(&gate);
  return NULL;
}

int main(void) {
  pthread_t workers[kWorkers];
  long counts[kWorkers] = {0};
  for (int i = 0; i < kWorkers; ++i) pthread_create(&workers[i], NULL, work, &counts[i]);
  for (int i = 0; i < kWorkers; ++i) pthread_join(workers[i], NULL);
  printf("%ld\n", finished);
  return hits == 0;
}
