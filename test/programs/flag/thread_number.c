// VERBS check confirm
// FLAGS -O0
// Code that only the thread with a certain number runs has no other one beside it.
#include <pthread.h>
#include <stdint.h>

static _Thread_local intptr_t number;
static long signals, jobs, ticks;

static void take_signals(void) { signals += 1; } // NORACE

static void do_jobs(void) { jobs += 1; } // RACE jobs SELF

static void run(void) {
  if (number == 0) take_signals();
  if (number != 0) do_jobs();
  ticks += 1; // RACE ticks SELF
}

static void *worker(void *own) {
  number = (intptr_t)own;
  run();
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  for (intptr_t i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, worker, (void *)i);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  return (int)(signals + jobs + ticks);
}
