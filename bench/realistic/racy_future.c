// SHOWN
// Futures: the result is set under the lock, the impatient getter polls without.
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct future {
  pthread_mutex_t lock;
  pthread_cond_t done;
  bool ready;
  int error;
  long value;
  long (*compute)(long);
  long input;
};

static struct future *future_new(long (*compute)(long), long input) {
  struct future *f = calloc(1, sizeof *f);
  if (!f) abort();
  pthread_mutex_init(&f->lock, NULL);
  pthread_cond_init(&f->done, NULL);
  f->compute = compute;
  f->input = input;
  return f;
}

static void future_set(struct future *f, long value) {
  pthread_mutex_lock(&f->lock);
  f->value = value; // RACE value
  f->ready = true;  // RACE ready
  pthread_cond_broadcast(&f->done);
  pthread_mutex_unlock(&f->lock);
}

static long future_get(struct future *f) {
  pthread_mutex_lock(&f->lock);
  while (!f->ready) pthread_cond_wait(&f->done, &f->lock);
  long value = f->value; // NORACE under the lock
  pthread_mutex_unlock(&f->lock);
  return value;
}

static bool future_try_get(struct future *f, long *value) {
  if (!f->ready) return false; // RACE ready
  *value = f->value;           // RACE value
  return true;
}

static void *run_future(void *arg) {
  struct future *f = arg;
  future_set(f, f->compute(f->input));
  return NULL;
}

static long fib(long n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

int main(void) {
  pthread_t threads[2];
  struct future *first = future_new(fib, 20);
  struct future *second = future_new(fib, 15);
  pthread_create(&threads[0], NULL, run_future, first);
  pthread_create(&threads[1], NULL, run_future, second);
  long value = -1;
  for (int i = 0; i < 100 && !future_try_get(first, &value); i++) usleep(10);
  if (value < 0) value = future_get(first);
  printf("%ld %ld\n", value, future_get(second));
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  free(first);
  free(second);
  return 0;
}
