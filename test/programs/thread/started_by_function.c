// VERBS check confirm
// A function starts a thread for the object that it is given, and the object keeps the handle: no two threads have one object. It is
// called in a loop, so there are several.
#include <pthread.h>
#include <stdlib.h>

struct worker {
  pthread_t thread;
  int sum;
};

static int shared;

static void *work(void *argument) {
  struct worker *worker = argument;
  for (int i = 0; i < 10; i++) worker->sum += i; // NORACE each has its own
  shared++;                                      // RACE shared SELF
  return NULL;
}

static int start(struct worker *worker) { return pthread_create(&worker->thread, NULL, work, worker); }

int main(void) {
  struct worker *workers[4];
  for (int i = 0; i < 4; i++) workers[i] = calloc(1, sizeof *workers[i]);
  for (int i = 0; i < 4; i++) start(workers[i]);
  for (int i = 0; i < 4; i++) pthread_join(workers[i]->thread, NULL);
  int all = 0;
  for (int i = 0; i < 4; i++) all += workers[i]->sum; // NORACE they have ended
  return all + shared == 0;
}
