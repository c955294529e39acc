// SHOWN
// A histogram over a shared image: rows are partitioned, but the bins are not.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define WIDTH 64
#define HEIGHT 48
#define THREADS 3

struct image {
  int width, height;
  uint8_t *pixels;
};

struct job {
  const struct image *image;
  struct image *output;
  unsigned *bins;
  int first, last;
  uint8_t brightest;
};

static uint8_t at(const struct image *im, int x, int y) { return im->pixels[y * im->width + x]; }

static void *scan(void *arg) {
  struct job *j = arg;
  for (int y = j->first; y < j->last; y++)
    for (int x = 0; x < j->image->width; x++) {
      uint8_t p = at(j->image, x, y);
      j->bins[p >> 4]++;                                     // RACE bins SELF
      j->output->pixels[y * j->output->width + x] = 255 - p; // NORACE rows are partitioned
      if (p > j->brightest) j->brightest = p;                // NORACE a job for each thread
    }
  return NULL;
}

static int image_init(struct image *im, int width, int height) {
  im->width = width;
  im->height = height;
  im->pixels = calloc((size_t)width, (size_t)height);
  return im->pixels ? 0 : -1;
}

int main(void) {
  struct image in, out;
  unsigned bins[16] = {0};
  struct job jobs[THREADS];
  pthread_t threads[THREADS];
  if (image_init(&in, WIDTH, HEIGHT) || image_init(&out, WIDTH, HEIGHT)) return 1;
  for (int i = 0; i < WIDTH * HEIGHT; i++) in.pixels[i] = (uint8_t)(i * 7);
  for (int i = 0; i < THREADS; i++) {
    jobs[i] = (struct job){&in, &out, bins, i * HEIGHT / THREADS, (i + 1) * HEIGHT / THREADS, 0};
    pthread_create(&threads[i], NULL, scan, &jobs[i]);
  }
  uint8_t brightest = 0;
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    if (jobs[i].brightest > brightest) brightest = jobs[i].brightest;
  }
  unsigned total = 0;
  for (int i = 0; i < 16; i++) total += bins[i];
  printf("%u %u %u\n", total, brightest, out.pixels[5]);
  free(in.pixels);
  free(out.pixels);
  return 0;
}
