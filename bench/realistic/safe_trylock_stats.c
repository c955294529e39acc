// SHOWN
// Statistics that are flushed if the lock is free, else kept in the thread; a parallel sort that joins its halves.
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t stats_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long total_compares;

struct local_stats {
  unsigned long compares;
};

static bool flush(struct local_stats *l, bool must) {
  if (must) {
    pthread_mutex_lock(&stats_lock);
  } else {
    int rc = pthread_mutex_trylock(&stats_lock);
    if (rc == EBUSY) return false;
    if (rc) abort();
  }
  total_compares += l->compares; // NORACE the lock is held on both ways
  l->compares = 0;
  pthread_mutex_unlock(&stats_lock);
  return true;
}

struct span {
  int *data;
  size_t n;
  int depth;
};

static void insertion(int *d, size_t n, struct local_stats *l) {
  for (size_t i = 1; i < n; i++)
    for (size_t k = i; k && ++l->compares && d[k - 1] > d[k]; k--) { // NORACE halves are disjoint
      int t = d[k];                                                  // NORACE halves are disjoint
      d[k] = d[k - 1];                                               // NORACE halves are disjoint
      d[k - 1] = t;                                                  // NORACE halves are disjoint
    }
}

static void *sort_span(void *arg) {
  struct span *s = arg;
  struct local_stats local = {0};
  if (s->depth == 0 || s->n < 8) {
    insertion(s->data, s->n, &local);
    if (!flush(&local, false)) flush(&local, true);
    return NULL;
  }
  size_t half = s->n / 2;
  struct span left = {s->data, half, s->depth - 1}, right = {s->data + half, s->n - half, s->depth - 1};
  pthread_t thread;
  bool started = pthread_create(&thread, NULL, sort_span, &left) == 0;
  if (!started) sort_span(&left);
  sort_span(&right);
  if (started) pthread_join(thread, NULL);
  int *merged = malloc(s->n * sizeof *merged);
  if (!merged) abort();
  size_t i = 0, k = half, m = 0;
  while (i < half || k < s->n) {
    local.compares++;
    if (k == s->n || (i < half && s->data[i] <= s->data[k])) // NORACE the halves are done
      merged[m++] = s->data[i++];                            // NORACE the halves are done
    else
      merged[m++] = s->data[k++]; // NORACE the halves are done
  }
  memcpy(s->data, merged, s->n * sizeof *merged); // NORACE the halves are done
  free(merged);
  flush(&local, true);
  return NULL;
}

int main(void) {
  int data[200];
  unsigned seed = 9;
  for (int i = 0; i < 200; i++) data[i] = (int)(rand_r(&seed) % 1000);
  struct span all = {data, 200, 2};
  sort_span(&all);
  for (int i = 1; i < 200; i++)
    if (data[i - 1] > data[i]) return 1;
  printf("%lu compares\n", total_compares);
  return 0;
}
