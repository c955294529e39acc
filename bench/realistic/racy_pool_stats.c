// SHOWN
// A thread pool with a linked job queue. The number of completed jobs is counted after the lock was given back.
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef void (*job_fn)(void *arg);

struct job {
  struct job *next;
  job_fn fn;
  void *arg;
};

struct pool {
  pthread_mutex_t lock;
  pthread_cond_t wake;
  struct job *head, *tail;
  bool stopping;
  unsigned queued;
  unsigned completed;
  int nthreads;
  pthread_t *threads;
};

static struct job *pool_pop(struct pool *p) {
  struct job *j = p->head;
  if (!j) return NULL;
  p->head = j->next;
  if (!p->head) p->tail = NULL;
  p->queued--;
  return j;
}

static void *pool_worker(void *arg) {
  struct pool *p = arg;
  for (;;) {
    pthread_mutex_lock(&p->lock);
    while (!p->head && !p->stopping) pthread_cond_wait(&p->wake, &p->lock);
    struct job *j = pool_pop(p);
    pthread_mutex_unlock(&p->lock);
    if (!j) break;
    j->fn(j->arg);
    free(j);
    p->completed++; // RACE count SELF // RACE stats
  }
  return NULL;
}

static struct pool *pool_create(int n) {
  struct pool *p = calloc(1, sizeof *p);
  if (!p) return NULL;
  pthread_mutex_init(&p->lock, NULL);
  pthread_cond_init(&p->wake, NULL);
  p->threads = calloc(n, sizeof *p->threads);
  if (!p->threads) {
    free(p);
    return NULL;
  }
  for (p->nthreads = 0; p->nthreads < n; p->nthreads++)
    if (pthread_create(&p->threads[p->nthreads], NULL, pool_worker, p)) break;
  return p;
}

static int pool_submit(struct pool *p, job_fn fn, void *arg) {
  struct job *j = malloc(sizeof *j);
  if (!j) return -1;
  j->fn = fn;
  j->arg = arg;
  j->next = NULL;
  pthread_mutex_lock(&p->lock);
  if (p->tail)
    p->tail->next = j;
  else
    p->head = j;
  p->tail = j;
  p->queued++;
  pthread_cond_signal(&p->wake);
  pthread_mutex_unlock(&p->lock);
  return 0;
}

static void pool_stats(struct pool *p, unsigned *queued, unsigned *completed) {
  pthread_mutex_lock(&p->lock);
  *queued = p->queued;
  *completed = p->completed; // RACE stats
  pthread_mutex_unlock(&p->lock);
}

static void pool_destroy(struct pool *p) {
  pthread_mutex_lock(&p->lock);
  p->stopping = true;
  pthread_cond_broadcast(&p->wake);
  pthread_mutex_unlock(&p->lock);
  for (int i = 0; i < p->nthreads; i++) pthread_join(p->threads[i], NULL);
  printf("completed %u\n", p->completed);
  pthread_cond_destroy(&p->wake);
  pthread_mutex_destroy(&p->lock);
  free(p->threads);
  free(p);
}

struct square {
  int in;
  int out;
};

static void do_square(void *arg) {
  struct square *s = arg;
  s->out = s->in * s->in; // NORACE each job has an element of its own
}

int main(void) {
  static struct square work[64];
  struct pool *p = pool_create(3);
  if (!p) return 1;
  for (int i = 0; i < 64; i++) {
    work[i].in = i;
    if (pool_submit(p, do_square, &work[i])) return 1;
  }
  unsigned queued, completed;
  pool_stats(p, &queued, &completed);
  printf("queued %u completed %u\n", queued, completed);
  pool_destroy(p);
  long sum = 0;
  for (int i = 0; i < 64; i++) sum += work[i].out; // NORACE after the joins
  printf("sum %ld\n", sum);
  return 0;
}
