// VERBS check
// SHOWN
// In a loop one barrier parts reading from writing, but not writing from the next round's reading: that takes a second one.
#include <pthread.h>
#include <stdio.h>

enum { kThreads = 3, kRounds = 10 };

static pthread_barrier_t read_all, written_all;
static int level[kThreads], depth[kThreads];

static void *work(void *argument) {
  const int me = *(const int *)argument;
  for (int round = 0; round < kRounds; ++round) {
    const int beside = level[(me + 1) % kThreads]; // RACE level
    const int below = depth[(me + 1) % kThreads];  // NORACE all have written in the round before
    pthread_barrier_wait(&read_all);
    depth[me] = below + 1; // NORACE all have read
    pthread_barrier_wait(&written_all);
    level[me] = beside + 1; // RACE level
  }
  return NULL;
}

int main(void) {
  static const int numbers[kThreads] = {0, 1, 2};
  pthread_t threads[kThreads];
  pthread_barrier_init(&read_all, NULL, kThreads);
  pthread_barrier_init(&written_all, NULL, kThreads);
  for (int i = 0; i < kThreads; ++i) pthread_create(&threads[i], NULL, work, (void *)&numbers[i]);
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], NULL);
  printf("%d %d\n", level[0], depth[0]);
  return 0;
}
