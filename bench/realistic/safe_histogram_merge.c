// SHOWN
// Each thread fills its own histogram row, the barrier's serial thread alone folds the rows into plain globals, a second barrier lets all read them.
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define NTHREADS 4
#define NBINS 8
#define ROUNDS 5
#define SAMPLES 300

struct part {
  pthread_t tid;
  unsigned seed;
  unsigned row[NBINS];
  unsigned scaled; /* own result */
};

static struct part parts[NTHREADS];
static unsigned merged[NBINS];
static unsigned tallest;
static int rounds_done;
static pthread_barrier_t filled, folded;

static void fold_rows(void) {
  memset(merged, 0, sizeof merged); // NORACE
  for (int t = 0; t < NTHREADS; t++)
    for (int b = 0; b < NBINS; b++) merged[b] += parts[t].row[b]; // NORACE
  tallest = 1;
  for (int b = 0; b < NBINS; b++)
    if (merged[b] > tallest) tallest = merged[b];
  rounds_done++;
}

static void *run(void *arg) {
  struct part *p = arg;

  for (int r = 0; r < ROUNDS; r++) {
    for (int i = 0; i < SAMPLES; i++) {
      p->seed = p->seed * 1664525u + 1013904223u;
      p->row[(p->seed >> 20) % NBINS]++; // NORACE
    }
    if (pthread_barrier_wait(&filled) == PTHREAD_BARRIER_SERIAL_THREAD) fold_rows();
    pthread_barrier_wait(&folded);
    p->scaled += 100 * merged[r % NBINS] / tallest; // NORACE
  }
  return NULL;
}

int main(void) {
  pthread_barrier_init(&filled, NULL, NTHREADS);
  pthread_barrier_init(&folded, NULL, NTHREADS);
  for (unsigned t = 0; t < NTHREADS; t++) {
    parts[t].seed = 17 * t + 3;
    if (pthread_create(&parts[t].tid, NULL, run, &parts[t]) != 0) return 1;
  }
  for (int t = 0; t < NTHREADS; t++) pthread_join(parts[t].tid, NULL);
  for (int b = 0; b < NBINS; b++) printf("%d: %u\n", b, merged[b]);
  printf("%d rounds, scaled %u\n", rounds_done, parts[0].scaled);
  pthread_barrier_destroy(&filled);
  pthread_barrier_destroy(&folded);
  return 0;
}
