// Main fills a table before it starts the first thread: so threads that this one starts come after it, too, though a function that nobody calls could start them.
#include <pthread.h>
#include <stdlib.h>

static int table[16], seen;

struct job {
  pthread_t thread;
  int number;
};

static void *inner(void *argument) {
  struct job *job = argument;
  job->number = table[job->number]; // NORACE
  seen += 1;                        // RACE a SELF
  return NULL;
}

static int start(struct job *job, void *(*entry)(void *)) { return pthread_create(&job->thread, NULL, entry, job); }

static void *outer(void *argument) {
  struct job *jobs = calloc(2, sizeof *jobs);
  for (int i = 0; i < 2; ++i) start(&jobs[i], inner);
  for (int i = 0; i < 2; ++i) pthread_join(jobs[i].thread, NULL);
  free(jobs);
  return argument;
}

int startUnused(struct job *job) { return start(job, outer); }

int main(void) {
  for (int i = 0; i < 16; ++i) table[i] = i; // NORACE
  struct job job;
  start(&job, outer);
  pthread_join(job.thread, NULL);
  return 0;
}
