// VERBS check
// SHOWN
// A pool whose jobs make pools of their own. Whoever finishes a pool has joined its threads, and what they worked off, not those of others.
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

struct pool;
typedef void (*job_function)(struct pool *pool, int index);

struct job {
  struct job *next;
  job_function function;
  int index;
};

struct pool {
  pthread_mutex_t lock;
  pthread_cond_t wakeup;
  struct job *first;
  pthread_t *threads;
  unsigned count;
  bool stop;
};

static void *work(void *argument) {
  struct pool *pool = argument;
  for (;;) {
    pthread_mutex_lock(&pool->lock);
    while (!pool->first && !pool->stop) pthread_cond_wait(&pool->wakeup, &pool->lock);
    struct job *job = pool->first;
    if (job) pool->first = job->next;
    pthread_mutex_unlock(&pool->lock);
    if (!job) return NULL;
    job->function(pool, job->index);
    free(job);
  }
}

static int pool_create(struct pool *pool, unsigned count) {
  pthread_mutex_init(&pool->lock, NULL);
  pthread_cond_init(&pool->wakeup, NULL);
  pool->first = NULL;
  pool->stop = false;
  pool->count = count;
  pool->threads = malloc(count * sizeof(pthread_t));
  int error = 0;
  for (unsigned i = 0; i < count && !error; i++) error = pthread_create(&pool->threads[i], NULL, work, pool);
  return error;
}

static void pool_add(struct pool *pool, job_function function, int index) {
  struct job *job = malloc(sizeof *job);
  job->function = function;
  job->index = index;
  pthread_mutex_lock(&pool->lock);
  job->next = pool->first;
  pool->first = job;
  pthread_cond_signal(&pool->wakeup);
  pthread_mutex_unlock(&pool->lock);
}

static int pool_finish(struct pool *pool) {
  pthread_mutex_lock(&pool->lock);
  pool->stop = true;
  pthread_mutex_unlock(&pool->lock);
  pthread_cond_broadcast(&pool->wakeup);
  for (unsigned i = 0; i < pool->count; i++) {
    int error = pthread_join(pool->threads[i], NULL);
    if (error) return error;
  }
  free(pool->threads);
  return 0;
}

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static long parts, whole, early, beside;

static void add_to(long *sum, long more) {
  pthread_mutex_lock(&gate);
  *sum += more; // NORACE
  pthread_mutex_unlock(&gate);
}

static void part(struct pool *pool, int index) {
  (void)pool;
  pthread_mutex_lock(&gate);
  parts += index; // NORACE
  pthread_mutex_unlock(&gate);
}

static void divide(struct pool *pool, int index) {
  (void)pool;
  struct pool mine;
  if (pool_create(&mine, 2)) return;
  for (int i = 0; i < 8; i++) pool_add(&mine, part, index + i);
  pool_finish(&mine);
  pthread_mutex_lock(&gate);
  whole += index; // NORACE
  early += index; // RACE early
  pthread_mutex_unlock(&gate);
}

static void elsewhere(struct pool *pool, int index) {
  (void)pool;
  pthread_mutex_lock(&gate);
  beside += index; // RACE beside
  pthread_mutex_unlock(&gate);
}

int main(void) {
  struct pool first, second;
  long sum = 0;
  if (pool_create(&first, 4) || pool_create(&second, 4)) return 1;
  for (int i = 0; i < 8; i++) pool_add(&second, elsewhere, i);
  for (int i = 0; i < 8; i++) pool_add(&first, divide, i);
  add_to(&sum, early); // RACE early
  if (pool_finish(&first)) return 1;
  add_to(&sum, parts);  // NORACE
  add_to(&sum, whole);  // NORACE
  add_to(&sum, beside); // RACE beside
  if (pool_finish(&second)) return 1;
  return (int)(sum + beside) == 0; // NORACE
}
