// VERBS check run
// FLAGS -Wall
// SHOWN
// Image filter: rows are handed out by an atomic counter, source and target swap between passes, threads are joined per pass.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  int w, h;
  uint8_t px[];
} image_t;

typedef struct {
  const image_t *src;
  image_t *dst;
  atomic_int next_row;
  const int *kernel;
} pass_t;

static image_t *image_create(int w, int h) {
  image_t *img = malloc(sizeof *img + (size_t)w * h);
  if (img == NULL) exit(2);
  img->w = w;
  img->h = h;
  return img;
}

static inline uint8_t image_at(const image_t *img, int x, int y) {
  if (x < 0) x = 0;
  if (y < 0) y = 0;
  if (x >= img->w) x = img->w - 1;
  if (y >= img->h) y = img->h - 1;
  return img->px[y * img->w + x];
}

static void filter_row(const image_t *src, image_t *dst, const int *kernel, int y) {
  for (int x = 0; x < src->w; x++) {
    int sum = 0, weight = 0;
    for (int dy = -1; dy <= 1; dy++)
      for (int dx = -1; dx <= 1; dx++) {
        int k = kernel[(dy + 1) * 3 + dx + 1];
        sum += k * image_at(src, x + dx, y + dy);
        weight += k;
      }
    dst->px[y * dst->w + x] = (uint8_t)(sum / weight); // NORACE
  }
}

static void *pass_worker(void *arg) {
  pass_t *p = arg;
  int y;
  while ((y = atomic_fetch_add_explicit(&p->next_row, 1, memory_order_relaxed)) < p->src->h)
    filter_row(p->src, p->dst, p->kernel, y);
  return NULL;
}

static void run_pass(const image_t *src, image_t *dst, const int *kernel, int threads) {
  pthread_t *ids = malloc(sizeof *ids * threads);
  pass_t pass = {.src = src, .dst = dst, .kernel = kernel};
  atomic_init(&pass.next_row, 0);
  for (int i = 0; i < threads; i++)
    if (pthread_create(&ids[i], NULL, pass_worker, &pass) != 0) exit(2);
  for (int i = 0; i < threads; i++) pthread_join(ids[i], NULL);
  free(ids);
}

int main(void) {
  static const int gauss[9] = {1, 2, 1, 2, 4, 2, 1, 2, 1};
  image_t *a = image_create(32, 24), *b = image_create(32, 24);
  for (int i = 0; i < a->w * a->h; i++) a->px[i] = (uint8_t)(i * 37);
  for (int pass = 0; pass < 4; pass++) {
    run_pass(a, b, gauss, 3);
    image_t *t = a;
    a = b;
    b = t;
  }
  unsigned sum = 0;
  for (int i = 0; i < a->w * a->h; i++) sum += a->px[i];
  free(a);
  free(b);
  return sum ? 0 : 1;
}
