// SHOWN
// A heat-equation solver splits the bar between threads; one barrier parts computing from copying, but none parts copying from the next step.
#include <pthread.h>
#include <stdio.h>

#define NTHREADS 3
#define PER_THREAD 1500
#define CELLS (NTHREADS * PER_THREAD + 2)
#define STEPS 100

struct strip {
  pthread_t tid;
  int lo, hi;
  double hottest; /* own result, read after the join */
};

static double cur[CELLS];
static double next[CELLS];
static pthread_barrier_t computed;

static void *solve(void *arg) {
  struct strip *s = arg;

  for (int step = 0; step < STEPS; step++) {
    for (int i = s->lo; i < s->hi; i++) next[i] = cur[i] + 0.25 * (cur[i - 1] - 2 * cur[i] + cur[i + 1]); // RACE edge
    pthread_barrier_wait(&computed);
    for (int i = s->lo; i < s->hi; i++) cur[i] = next[i]; // RACE edge
  }
  for (int i = s->lo; i < s->hi; i++)
    if (next[i] > s->hottest) s->hottest = next[i];
  return NULL;
}

int main(void) {
  struct strip strip[NTHREADS];
  double hottest = 0;

  cur[0] = cur[CELLS - 1] = 100.0;
  pthread_barrier_init(&computed, NULL, NTHREADS);
  for (int t = 0; t < NTHREADS; t++) {
    strip[t].lo = 1 + t * PER_THREAD;
    strip[t].hi = strip[t].lo + PER_THREAD;
    strip[t].hottest = 0;
    if (pthread_create(&strip[t].tid, NULL, solve, &strip[t]) != 0) return 1;
  }
  for (int t = 0; t < NTHREADS; t++) {
    pthread_join(strip[t].tid, NULL);
    if (strip[t].hottest > hottest) hottest = strip[t].hottest;
  }
  pthread_barrier_destroy(&computed);
  printf("hottest inner cell %.2f\n", hottest);
  return 0;
}
