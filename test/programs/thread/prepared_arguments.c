// VERBS check confirm
// A loop fills in what each thread gets, and starts it; another call of the same function finds none of them running.
#include <pthread.h>
#include <stdlib.h>

struct job {
  pthread_t thread;
  int number, sum;
  int late;
};

static void *work(void *argument) {
  struct job *job = argument;
  job->sum += job->number; // NORACE
  job->sum += job->late;   // RACE late
  return NULL;
}

static int run(int count) {
  struct job *jobs = calloc(count, sizeof *jobs);
  for (int i = 0; i < count; ++i) {
    jobs[i].number = i; // NORACE not started yet
    if (pthread_create(&jobs[i].thread, NULL, work, &jobs[i]) != 0) return -1;
    jobs[i].late = 1; // RACE late
  }
  int sum = 0;
  for (int i = 0; i < count; ++i) {
    pthread_join(jobs[i].thread, NULL);
  }
  for (int i = 0; i < count; ++i) sum += jobs[i].sum; // NORACE
  return sum;
}

int main(int count, char **arguments) {
  int sum = 0;
  for (int i = 0; i <= count; ++i) sum += run(i);
  return sum < 0 || !arguments;
}
