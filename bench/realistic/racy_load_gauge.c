// SHOWN
// A load gauge with C11 threads sums its samples under a mtx_t, but maintains the peak before taking it.
#include <stdio.h>
#include <threads.h>

#define NPROBES 3
#define NSAMPLES 1500

struct gauge {
  mtx_t lock;
  long sum;
  long samples;
  long peak;
};

struct probe {
  thrd_t thread;
  struct gauge *gauge;
  unsigned seed;
};

static struct gauge load;

static void gauge_add(struct gauge *g, long v) {
  if (v > g->peak) // RACE test
    g->peak = v;   // RACE test // RACE set SELF

  mtx_lock(&g->lock);
  g->sum += v;
  g->samples++;
  mtx_unlock(&g->lock);
}

static double gauge_mean(struct gauge *g) {
  double mean;

  mtx_lock(&g->lock);
  mean = g->samples ? (double)g->sum / (double)g->samples : 0.0;
  mtx_unlock(&g->lock);
  return mean;
}

static int probe_main(void *arg) {
  struct probe *p = arg;

  for (int i = 0; i < NSAMPLES; i++) {
    p->seed = p->seed * 22695477u + 1;
    gauge_add(p->gauge, (long)(p->seed >> 20) + i);
    if (i % 500 == 0 && gauge_mean(p->gauge) < 0) return 1;
  }
  return 0;
}

int main(void) {
  struct probe probe[NPROBES];
  int rc, failed = 0;

  if (mtx_init(&load.lock, mtx_plain) != thrd_success) return 1;
  for (unsigned i = 0; i < NPROBES; i++) {
    probe[i].gauge = &load;
    probe[i].seed = i + 11;
    if (thrd_create(&probe[i].thread, probe_main, &probe[i]) != thrd_success) return 1;
  }
  for (int i = 0; i < NPROBES; i++) {
    thrd_join(probe[i].thread, &rc);
    failed += rc;
  }
  printf("mean %.1f peak %ld failed %d\n", gauge_mean(&load), load.peak, failed);
  mtx_destroy(&load.lock);
  return 0;
}
