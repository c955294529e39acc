// VERBS check confirm
// Jobs of a pool begin when they are submitted, and end with the pool's threads.
#include <pthread.h>
#include <stdlib.h>

struct job {
  struct job *next;
  void (*function)(void *);
  void *argument;
};

struct pool {
  pthread_mutex_t gate;
  pthread_cond_t filled;
  struct job *first;
  int closed;
  pthread_t threads[2];
};

static int level;
static int progress;
static int result;

static void *serve(void *argument) {
  struct pool *pool = argument;
  for (;;) {
    pthread_mutex_lock(&pool->gate);
    while (!pool->first && !pool->closed) pthread_cond_wait(&pool->filled, &pool->gate);
    struct job *job = pool->first;
    if (job) pool->first = job->next;
    pthread_mutex_unlock(&pool->gate);
    if (!job) return NULL;
    job->function(job->argument);
    free(job);
  }
}

static void put(struct pool *pool, void (*function)(void *), void *argument) {
  struct job *job = malloc(sizeof *job);
  job->function = function;
  job->argument = argument;
  pthread_mutex_lock(&pool->gate);
  job->next = pool->first;
  pool->first = job;
  pthread_cond_signal(&pool->filled);
  pthread_mutex_unlock(&pool->gate);
}

static void count(void *argument) {
  progress += level; // RACE self SELF // RACE with
  __atomic_store_n((int *)argument, 1, __ATOMIC_RELAXED);
}

int main(void) {
  struct pool *pool = calloc(1, sizeof *pool);
  pthread_mutex_init(&pool->gate, NULL);
  pthread_cond_init(&pool->filled, NULL);
  for (int i = 0; i < 2; ++i) pthread_create(&pool->threads[i], NULL, serve, pool);
  level = 2; // NORACE nothing was submitted yet
  for (int i = 0; i < 8; ++i) put(pool, count, &result);
  progress = 0; // RACE with
  pthread_mutex_lock(&pool->gate);
  pool->closed = 1;
  pthread_cond_broadcast(&pool->filled);
  pthread_mutex_unlock(&pool->gate);
  for (int i = 0; i < 2; ++i) pthread_join(pool->threads[i], NULL);
  return progress + level + result == 0; // NORACE
}
