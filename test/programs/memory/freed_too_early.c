// Freeing is a write: a reader that is not ordered with it races. Memory that is used again starts anew.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int *shared;
static int sink;

static void *reader(void *unused) {
  sink += *shared; // RACE freed MISSED check: free is a call
  return unused;
}

static void *private(void *unused) {
  int *own = malloc(sizeof *own);
  *own = 1; // NORACE may lie where another's block was
  free(own);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  shared = malloc(sizeof *shared);
  *shared = 4; // NORACE before the thread is created
  pthread_create(&threads[0], NULL, reader, NULL);
  for (int spin = 0; spin < 1000000; ++spin) __asm__ volatile("");
  free(shared); // RACE freed
  pthread_create(&threads[1], NULL, private, NULL);
  pthread_create(&threads[2], NULL, private, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  printf("%d\n", sink >= 0);
  return 0;
}
