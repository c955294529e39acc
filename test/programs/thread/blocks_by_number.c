// VERBS check run
// SHOWN
// Blocks of so many elements, one for each thread by its number. Who counts further than its block is long gets into the next one.
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

enum { kThreads = 3, kBlock = 16 };

static int direct[kThreads * kBlock];
static int walked[kThreads * kBlock];
static int overrun[(kThreads + 1) * kBlock];

static void *work(void *arg) {
  intptr_t id = (intptr_t)arg;
  for (int i = 0; i < kBlock; ++i) direct[id * kBlock + i] = i; // NORACE
  int *mine = &walked[id * kBlock];
  for (int i = 0; i < kBlock; ++i) mine[i] = i;                       // NORACE
  for (int i = 0; i < kBlock + 1; ++i) overrun[id * kBlock + i] += i; // RACE overrun SELF
  return NULL;
}

int main(void) {
  pthread_t threads[kThreads];
  for (intptr_t i = 0; i < kThreads; ++i) pthread_create(&threads[i], NULL, work, (void *)i);
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], NULL);
  return direct[1] + walked[1] + overrun[1] == 0;
}
