// VERBS check confirm
// Each thread is given an object of its own; what that object points to is not.
#include <pthread.h>
#include <stdlib.h>

struct job {
  int *total;
  int done;
};

static int total;

static void *work(void *argument) {
  struct job *job = argument;
  job->done += 1;   // NORACE its own
  *job->total += 1; // RACE total SELF
  return NULL;
}

static void *work_on_copy(void *argument) {
  struct job *job = argument;
  job->done += 1; // NORACE allocated for it
  free(job);
  return NULL;
}

static void *work_on_same(void *argument) {
  struct job *job = argument;
  job->done += 1; // RACE same SELF
  return NULL;
}

int main(void) {
  pthread_t threads[6];
  struct job jobs[2] = {{&total, 0}, {&total, 0}};
  struct job same = {&total, 0};
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, &jobs[i]);
  for (int i = 2; i < 4; ++i) {
    struct job *job = calloc(1, sizeof *job);
    pthread_create(&threads[i], NULL, work_on_copy, job);
  }
  for (int i = 4; i < 6; ++i) pthread_create(&threads[i], NULL, work_on_same, &same);
  for (int i = 0; i < 6; ++i) pthread_join(threads[i], NULL);
  return jobs[0].done + same.done == 0; // NORACE all were joined
}
