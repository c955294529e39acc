// SHOWN
// Copy on write: readers take a counted snapshot under a short lock, then read it without; writers replace it.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct table {
  atomic_int refs;
  size_t n;
  int values[];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct table *current;

static struct table *table_new(size_t n) {
  struct table *t = malloc(sizeof *t + n * sizeof t->values[0]);
  if (!t) abort();
  atomic_init(&t->refs, 1);
  t->n = n;
  return t;
}

static void table_put(struct table *t) {
  if (atomic_fetch_sub_explicit(&t->refs, 1, memory_order_acq_rel) == 1) free(t);
}

static struct table *table_snapshot(void) {
  pthread_mutex_lock(&lock);
  struct table *t = current;
  atomic_fetch_add_explicit(&t->refs, 1, memory_order_relaxed);
  pthread_mutex_unlock(&lock);
  return t;
}

static void table_append(int value) {
  pthread_mutex_lock(&lock);
  struct table *old = current;
  struct table *t = table_new(old->n + 1);
  memcpy(t->values, old->values, old->n * sizeof old->values[0]); // NORACE published ones do not change
  t->values[old->n] = value;                                      // NORACE not yet published
  current = t;
  pthread_mutex_unlock(&lock);
  table_put(old);
}

static void *reader(void *arg) {
  long best = 0;
  for (int i = 0; i < 100; i++) {
    struct table *t = table_snapshot();
    long sum = 0;
    for (size_t k = 0; k < t->n; k++) sum += t->values[k]; // NORACE published ones do not change
    if (sum > best) best = sum;
    table_put(t);
  }
  *(long *)arg = best;
  return NULL;
}

static void *writer(void *unused) {
  for (int i = 0; i < 30; i++) table_append(i);
  return unused;
}

int main(void) {
  pthread_t r[2], w;
  long best[2];
  current = table_new(0);
  for (int i = 0; i < 2; i++) pthread_create(&r[i], NULL, reader, &best[i]);
  pthread_create(&w, NULL, writer, NULL);
  for (int i = 0; i < 2; i++) pthread_join(r[i], NULL);
  pthread_join(w, NULL);
  printf("%zu\n", current->n);
  table_put(current);
  return best[0] + best[1] < 0;
}
