// SHOWN
// Jacobi iteration in phases: the second barrier, between copying back and the next sweep, was forgotten.
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define N 64
#define THREADS 4
#define STEPS 10

static double grid[N + 2], next[N + 2];
static pthread_barrier_t barrier;

struct range {
  int first, last;
  double delta;
};

static double sweep(int first, int last) {
  double delta = 0;
  for (int i = first; i < last; i++) {
    next[i] = 0.5 * (grid[i - 1] + grid[i + 1]); // RACE border
    delta += fabs(next[i] - grid[i]);
  }
  return delta;
}

static void copy_back(int first, int last) {
  for (int i = first; i < last; i++) grid[i] = next[i]; // RACE border
}

static void *relax(void *arg) {
  struct range *r = arg;
  for (int step = 0; step < STEPS; step++) {
    r->delta = sweep(r->first, r->last);
    pthread_barrier_wait(&barrier);
    copy_back(r->first, r->last);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  struct range ranges[THREADS];
  grid[0] = 1.0;
  grid[N + 1] = -1.0;
  pthread_barrier_init(&barrier, NULL, THREADS);
  for (int i = 0; i < THREADS; i++) {
    ranges[i].first = 1 + i * N / THREADS;
    ranges[i].last = 1 + (i + 1) * N / THREADS;
    ranges[i].delta = 0;
    pthread_create(&threads[i], NULL, relax, &ranges[i]);
  }
  double delta = 0;
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    delta += ranges[i].delta;
  }
  pthread_barrier_destroy(&barrier);
  printf("delta %g middle %g\n", delta, grid[N / 2]);
  return 0;
}
