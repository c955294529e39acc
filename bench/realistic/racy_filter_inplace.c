// VERBS check run
// FLAGS -Wall
// SHOWN
// A blur in place: each thread has its band of rows, but reads one row beyond it.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 16, HEIGHT = 24, THREADS = 3 };

struct band {
  float *pixels;
  int first, last;
  float brightest;
};

static void *blur_band(void *p) {
  struct band *b = p;

  for (int y = b->first; y < b->last; y++) {
    if (y == HEIGHT - 1) break;
    for (int x = 0; x < WIDTH; x++) {
      float below = b->pixels[(y + 1) * WIDTH + x]; // RACE row
      float *here = &b->pixels[y * WIDTH + x];
      *here = (*here + below) / 2; // RACE row
      if (*here > b->brightest) b->brightest = *here;
    }
  }
  return NULL;
}

int main(void) {
  float *pixels = calloc(WIDTH * HEIGHT, sizeof *pixels);
  struct band bands[THREADS];
  pthread_t ids[THREADS];
  float best = 0;

  for (int i = 0; i < WIDTH * HEIGHT; i++) pixels[i] = (float)(i % 255);
  for (int i = 0; i < THREADS; i++) {
    bands[i].pixels = pixels;
    bands[i].first = i * (HEIGHT / THREADS);
    bands[i].last = (i + 1) * (HEIGHT / THREADS);
    bands[i].brightest = 0;
    pthread_create(&ids[i], NULL, blur_band, &bands[i]);
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(ids[i], NULL);
    if (bands[i].brightest > best) best = bands[i].brightest;
  }
  free(pixels);
  return best > 0 ? 0 : 1;
}
