// SHOWN
// A two-pass prefix sum: both passes share plain globals without any lock, but the threads of pass one are joined before pass two starts.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define N 4096
#define NPARTS 4

struct part {
  pthread_t tid;
  int index;
  size_t from, to;
};

typedef void *(*pass_fn)(void *);

static unsigned value[N];
static unsigned char odd[N]; /* neighbours written by different threads */
static unsigned long base[NPARTS + 1];
static unsigned long prefix[N];

static void *pass_local(void *arg) {
  const struct part *p = arg;
  unsigned long sum = 0;

  for (size_t i = p->from; i < p->to; i++) {
    sum += value[i];
    odd[i] = value[i] & 1; // NORACE
    value[i] %= 50;        // NORACE
  }
  base[p->index + 1] = sum; // NORACE
  return NULL;
}

static void *pass_global(void *arg) {
  const struct part *p = arg;
  unsigned long at = base[p->index]; // NORACE

  for (size_t i = p->from; i < p->to; i++) {
    at += value[i] + odd[N - 1 - i]; // NORACE
    prefix[i] = at;
  }
  return NULL;
}

static int run_pass(struct part *parts, pass_fn fn) {
  int started = 0, rc = 0;

  for (int i = 0; i < NPARTS; i++) {
    rc = pthread_create(&parts[i].tid, NULL, fn, &parts[i]);
    if (rc != 0) break;
    started++;
  }
  while (started-- > 0) pthread_join(parts[started].tid, NULL);
  return rc;
}

int main(void) {
  struct part parts[NPARTS];

  for (size_t i = 0; i < N; i++) value[i] = (unsigned)(i * 2654435761u >> 7) % 97;
  for (int i = 0; i < NPARTS; i++) {
    parts[i].index = i;
    parts[i].from = (size_t)i * (N / NPARTS) - (i > 0 ? 3 : 0);
    parts[i].to = i == NPARTS - 1 ? N : (size_t)(i + 1) * (N / NPARTS) - 3;
  }
  if (run_pass(parts, pass_local) != 0) return 1;
  for (int i = 0; i < NPARTS; i++) base[i + 1] += base[i]; // NORACE
  if (run_pass(parts, pass_global) != 0) return 1;
  printf("total %lu, last %lu\n", base[NPARTS], prefix[N - 1]);
  return 0;
}
