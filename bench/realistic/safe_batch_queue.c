// SHOWN
// A ring of requests with condition variables; objects are handed over and come back through a completion count.
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RING 8

struct batch;

struct request {
  struct batch *batch;
  int input;
  int result;
  char note[24];
};

struct batch {
  pthread_mutex_t lock;
  pthread_cond_t finished;
  int pending;
};

struct ring {
  pthread_mutex_t lock;
  pthread_cond_t not_empty, not_full;
  struct request *slots[RING];
  unsigned head, tail;
  bool closed;
};

static void ring_init(struct ring *r) {
  memset(r, 0, sizeof *r);
  pthread_mutex_init(&r->lock, NULL);
  pthread_cond_init(&r->not_empty, NULL);
  pthread_cond_init(&r->not_full, NULL);
}

static bool ring_push(struct ring *r, struct request *q) {
  pthread_mutex_lock(&r->lock);
  while (r->tail - r->head == RING && !r->closed) pthread_cond_wait(&r->not_full, &r->lock);
  if (r->closed) {
    pthread_mutex_unlock(&r->lock);
    return false;
  }
  r->slots[r->tail++ % RING] = q;
  pthread_mutex_unlock(&r->lock);
  pthread_cond_signal(&r->not_empty);
  return true;
}

static struct request *ring_pop(struct ring *r) {
  struct request *q = NULL;
  pthread_mutex_lock(&r->lock);
  while (r->tail == r->head && !r->closed) pthread_cond_wait(&r->not_empty, &r->lock);
  if (r->tail != r->head) q = r->slots[r->head++ % RING];
  pthread_mutex_unlock(&r->lock);
  if (q) pthread_cond_signal(&r->not_full);
  return q;
}

static void ring_close(struct ring *r) {
  pthread_mutex_lock(&r->lock);
  r->closed = true;
  pthread_mutex_unlock(&r->lock);
  pthread_cond_broadcast(&r->not_empty);
  pthread_cond_broadcast(&r->not_full);
}

static void batch_done(struct batch *b) {
  pthread_mutex_lock(&b->lock);
  if (--b->pending == 0) pthread_cond_signal(&b->finished);
  pthread_mutex_unlock(&b->lock);
}

static void batch_wait(struct batch *b) {
  pthread_mutex_lock(&b->lock);
  while (b->pending) pthread_cond_wait(&b->finished, &b->lock);
  pthread_mutex_unlock(&b->lock);
}

static void *worker(void *arg) {
  struct ring *ring = arg;
  struct request *q;
  while ((q = ring_pop(ring))) {
    q->result = q->input * 3;                           // NORACE the request belongs to one worker until it is done
    snprintf(q->note, sizeof q->note, "#%d", q->input); // NORACE likewise
    batch_done(q->batch);
  }
  return NULL;
}

static long run_batch(struct ring *ring, int n) {
  struct batch batch = {.lock = PTHREAD_MUTEX_INITIALIZER, .finished = PTHREAD_COND_INITIALIZER, .pending = n};
  struct request *requests = calloc((size_t)n, sizeof *requests);
  long sum = 0;
  if (!requests) return -1;
  for (int i = 0; i < n; i++) {
    requests[i].batch = &batch;
    requests[i].input = i;
    if (!ring_push(ring, &requests[i])) batch_done(&batch);
  }
  batch_wait(&batch);
  for (int i = 0; i < n; i++) sum += requests[i].result + requests[i].note[0]; // NORACE after the batch is done
  free(requests);
  return sum;
}

int main(void) {
  struct ring ring;
  pthread_t workers[3];
  ring_init(&ring);
  for (int i = 0; i < 3; i++) pthread_create(&workers[i], NULL, worker, &ring);
  for (int round = 1; round <= 5; round++) printf("%ld\n", run_batch(&ring, round * 10));
  ring_close(&ring);
  for (int i = 0; i < 3; i++) pthread_join(workers[i], NULL);
  return 0;
}
