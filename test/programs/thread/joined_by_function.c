// VERBS check confirm
// A program's own function joins: what comes after it comes after the thread, and what comes before it does not.
#include <pthread.h>
#include <stdlib.h>

struct job {
  pthread_t thread;
  struct job *next;
};

static long sum, late;

static void join_one(pthread_t thread, void **result) {
  if (pthread_join(thread, result) != 0) abort();
}

static void join_at(pthread_t *thread) { join_one(*thread, NULL); }

static void *add(void *unused) {
  (void)unused;
  __atomic_fetch_add(&sum, 1, __ATOMIC_RELAXED);
  return NULL;
}

static void *add_late(void *unused) {
  (void)unused;
  ++late; // RACE late
  return NULL;
}

int main(int count, char **words) {
  (void)words;
  struct job *jobs = NULL;
  for (int i = 0; i < count + 2; ++i) {
    struct job *job = malloc(sizeof *job);
    job->next = jobs;
    jobs = job;
    pthread_create(&job->thread, NULL, add, job);
  }
  for (struct job *job = jobs; job; job = job->next) {
    void *result;
    join_one(job->thread, &result);
  }
  sum += 10; // NORACE

  pthread_t one, other;
  pthread_create(&one, NULL, add, NULL);
  join_at(&one);
  sum += 10; // NORACE

  pthread_create(&other, NULL, add_late, NULL);
  ++late; // RACE late
  join_at(&other);
  ++late; // NORACE
  return (int)(sum + late);
}
