// VERBS check
// SHOWN
// Who resets a flag and then polls it under the lock does not wait for ever: another thread sets it, and what follows happens. What only one thread ever
// writes keeps its value.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done, quiet;
static int before, after, never;

static void *work(void *unused) {
  before++; // NORACE told by `done`
  pthread_mutex_lock(&lock);
  done = 1;
  pthread_mutex_unlock(&lock);
  after++; // RACE after
  never++; // NORACE main does not get there
  return unused;
}

static int is_done(void) {
  pthread_mutex_lock(&lock);
  int result = done;
  pthread_mutex_unlock(&lock);
  return result;
}

int main(void) {
  pthread_t thread;
  done = 0;
  quiet = 1;
  pthread_create(&thread, NULL, work, NULL);
  while (!is_done()) {}
  after++; // RACE after
  if (!quiet) never++; // NORACE nobody resets it
  pthread_join(thread, NULL);
  printf("%d\n", before + after + never);
  return 0;
}
