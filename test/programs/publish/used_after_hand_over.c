// VERBS check
// SHOWN
// Jobs go to workers, and whoever has made them goes on with some: with one of many, by a function of its own, with one that it sends again and
// again. Who gives up a reference, or has not handed the job on, may.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct job {
  struct job *next;
  atomic_int references;
  int number;
  int state;
  int tries;
  int round;
  int dropped;
  char name[16];
};

static struct job *jobs;
static int closed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void submit(struct job *job) {
  pthread_mutex_lock(&lock);
  job->next = jobs;
  jobs = job;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
}

static struct job *take(void) {
  pthread_mutex_lock(&lock);
  while (!jobs && !closed) pthread_cond_wait(&changed, &lock);
  struct job *job = jobs;
  if (job) jobs = job->next;
  pthread_mutex_unlock(&lock);
  return job;
}

static void give_up(struct job *job) {
  if (atomic_fetch_sub(&job->references, 1) != 1) return;
  job->number = -1; // NORACE
  free(job);
}

static void *work(void *result) {
  struct job *job;
  long sum = 0;
  while ((job = take())) {
    sum += job->number;  // NORACE
    sum += job->state;   // RACE state
    sum += job->tries;   // RACE tries
    sum += job->round;   // RACE round
    sum += job->name[0]; // RACE name
    sum += job->dropped; // NORACE
    give_up(job);
  }
  *(long *)result = sum;
  return NULL;
}

static struct job *make(int number) {
  struct job *job = calloc(1, sizeof *job);
  if (!job) abort();
  atomic_init(&job->references, 2);
  job->number = number;
  return job;
}

static void count_try(struct job *job) {
  job->tries++; // RACE tries
}

static void *fill(void *unused) {
  for (int i = 0; i < 20; ++i) {
    struct job *job = make(i);
    submit(job);
    job->state = 1;            // RACE state
    strcpy(job->name, "sent"); // RACE name
    count_try(job);
    give_up(job);
  }
  return unused;
}

static void *repeat(void *unused) {
  struct job *job = make(100);
  for (int i = 0; i < 20; ++i) {
    job->round = i; // RACE round
    submit(job);
  }
  return unused;
}

static void *fill_or_drop(void *unused) {
  for (int i = 0; i < 20; ++i) {
    struct job *job = make(i);
    job->state = 2; // NORACE
    if (i % 3) {
      submit(job);
      continue;
    }
    job->dropped = 1; // NORACE
    free(job);
  }
  return unused;
}

int main(void) {
  long sum = 0;
  pthread_t worker, makers[3];
  pthread_create(&worker, NULL, work, &sum);
  pthread_create(&makers[0], NULL, fill, NULL);
  pthread_create(&makers[1], NULL, repeat, NULL);
  pthread_create(&makers[2], NULL, fill_or_drop, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(makers[i], NULL);
  pthread_mutex_lock(&lock);
  closed = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  pthread_join(worker, NULL);
  return sum == 0;
}
