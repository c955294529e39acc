// SHOWN
// Diffusion with two grids that change roles at a barrier; one thread of the barrier does the serial part.
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIZE 96
#define THREADS 3
#define STEPS 12

struct field {
  double *cells;
};

static struct field fields[2];
static pthread_barrier_t barrier;
static double partial[THREADS];
static double history[STEPS];
static int steps_done;

static double advance(const double *from, double *to, int first, int last) {
  double sum = 0;
  for (int i = first; i < last; i++) {
    double left = i ? from[i - 1] : 0, right = i + 1 < SIZE ? from[i + 1] : 0; // NORACE written in the step before
    to[i] = (left + 2 * from[i] + right) / 4;                                  // NORACE a range for each thread
    sum += to[i];
  }
  return sum;
}

static void *simulate(void *arg) {
  int id = *(int *)arg;
  int first = id * SIZE / THREADS, last = (id + 1) * SIZE / THREADS;
  for (int step = 0; step < STEPS; step++) {
    partial[id] = advance(fields[step & 1].cells, fields[!(step & 1)].cells, first, last); // NORACE
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
      double sum = 0;
      for (int i = 0; i < THREADS; i++) sum += partial[i]; // NORACE between the barriers
      history[step] = sum;                                 // NORACE one thread between the barriers
      steps_done++;                                        // NORACE one thread between the barriers
    }
    pthread_barrier_wait(&barrier);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  int ids[THREADS];
  for (int i = 0; i < 2; i++) {
    fields[i].cells = calloc(SIZE, sizeof(double));
    if (!fields[i].cells) return 1;
  }
  fields[0].cells[SIZE / 2] = 1000;
  pthread_barrier_init(&barrier, NULL, THREADS);
  for (int i = 0; i < THREADS; i++) {
    ids[i] = i;
    pthread_create(&threads[i], NULL, simulate, &ids[i]);
  }
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  pthread_barrier_destroy(&barrier);
  printf("%d steps, %g\n", steps_done, history[STEPS - 1]);
  for (int i = 0; i < 2; i++) free(fields[i].cells);
  return 0;
}
