// SHOWN
// Heat flow on a grid: each thread owns a range of rows, two grids are exchanged between the phases of a barrier, and
// the greatest change is reduced over slots, one per thread.
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define COLS 24
#define ROWS 24
#define THREADS 4

struct solver {
  double *grid[2];
  int current;
  int steps;
  double change[THREADS];
  double greatest;
  int done;
  pthread_barrier_t barrier;
};

struct strip {
  struct solver *solver;
  int index, first, last;
};

static double relax_row(const double *from, double *to, int row) {
  double greatest = 0;
  for (int col = 1; col < COLS - 1; col++) {
    int at = row * COLS + col;
    to[at] = 0.25 * (from[at - 1] + from[at + 1] + from[at - COLS] + from[at + COLS]); // NORACE
    double change = fabs(to[at] - from[at]);
    if (change > greatest) greatest = change;
  }
  return greatest;
}

static void *relax(void *arg) {
  struct strip *strip = arg;
  struct solver *s = strip->solver;
  while (!s->done) { // NORACE
    double greatest = 0;
    for (int row = strip->first; row < strip->last; row++) {
      double change = relax_row(s->grid[s->current], s->grid[!s->current], row);
      if (change > greatest) greatest = change;
    }
    s->change[strip->index] = greatest; // NORACE
    pthread_barrier_wait(&s->barrier);
    if (strip->index == 0) {
      s->greatest = 0;
      for (int i = 0; i < THREADS; i++)
        if (s->change[i] > s->greatest) s->greatest = s->change[i]; // NORACE
      s->current = !s->current;                                     // NORACE
      s->done = s->greatest < 0.05 || ++s->steps == 60;             // NORACE
    }
    pthread_barrier_wait(&s->barrier);
  }
  return NULL;
}

int main(void) {
  struct solver s = {.current = 0};
  struct strip strips[THREADS];
  pthread_t threads[THREADS];
  for (int i = 0; i < 2; i++) {
    s.grid[i] = calloc(ROWS * COLS, sizeof(double));
    if (!s.grid[i]) return 2;
    for (int col = 0; col < COLS; col++) s.grid[i][col] = 100;
  }
  pthread_barrier_init(&s.barrier, NULL, THREADS);
  int rows = ROWS - 2, share = (rows + THREADS - 1) / THREADS;
  for (int i = 0; i < THREADS; i++) {
    int first = 1 + i * share, last = first + share;
    strips[i] = (struct strip){&s, i, first, last < ROWS - 1 ? last : ROWS - 1};
    pthread_create(&threads[i], NULL, relax, &strips[i]);
  }
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  printf("%d steps, change %.3f\n", s.steps, s.greatest);
  pthread_barrier_destroy(&s.barrier);
  free(s.grid[0]);
  free(s.grid[1]);
  return 0;
}
