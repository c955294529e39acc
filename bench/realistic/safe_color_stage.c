// SHOWN
// A C11-threads image stage: call_once builds the lookup curve, tss_t keeps scratch rows, and rows are claimed under a mtx_t but written without it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

#define ROWS 24
#define COLS 32
#define NTHREADS 3

struct image {
  mtx_t lock;
  cnd_t finished;
  int next_row;
  int rows_left;
  unsigned char px[ROWS][COLS];
};

static struct image img;
static once_flag curve_once = ONCE_FLAG_INIT;
static unsigned char curve[256];
static tss_t scratch_key;

static void build_curve(void) {
  for (int i = 0; i < 256; i++) curve[i] = (unsigned char)(255 - i * i / 255); // NORACE
}

static unsigned char *scratch_row(void) {
  unsigned char *row = tss_get(scratch_key);

  if (!row) {
    row = malloc(COLS);
    if (!row || tss_set(scratch_key, row) != thrd_success) abort();
  }
  return row;
}

static int claim_row(struct image *im) {
  int row = -1;

  mtx_lock(&im->lock);
  if (im->next_row < ROWS) row = im->next_row++;
  mtx_unlock(&im->lock);
  return row;
}

static void finish_row(struct image *im) {
  mtx_lock(&im->lock);
  if (--im->rows_left == 0) cnd_signal(&im->finished);
  mtx_unlock(&im->lock);
}

static int stage(void *arg) {
  struct image *im = arg;
  int row, done = 0;

  while ((row = claim_row(im)) >= 0) {
    unsigned char *s = scratch_row();

    call_once(&curve_once, build_curve);
    for (int c = 0; c < COLS; c++) s[c] = curve[im->px[row][c]]; // NORACE
    memcpy(im->px[row], s, COLS);                                // NORACE
    finish_row(im);
    done++;
  }
  return done;
}

int main(void) {
  thrd_t t[NTHREADS];
  unsigned long sum = 0;
  int rows = 0, n;

  if (mtx_init(&img.lock, mtx_plain) != thrd_success || cnd_init(&img.finished) != thrd_success) return 1;
  if (tss_create(&scratch_key, free) != thrd_success) return 1;
  img.rows_left = ROWS;
  for (int r = 0; r < ROWS; r++)
    for (int c = 0; c < COLS; c++) img.px[r][c] = (unsigned char)(r * 9 + c * 3);
  for (int i = 0; i < NTHREADS; i++)
    if (thrd_create(&t[i], stage, &img) != thrd_success) return 1;

  mtx_lock(&img.lock);
  while (img.rows_left > 0) cnd_wait(&img.finished, &img.lock);
  mtx_unlock(&img.lock);
  for (int r = 0; r < ROWS; r++)
    for (int c = 0; c < COLS; c++) sum += img.px[r][c]; // NORACE

  for (int i = 0; i < NTHREADS; i++) {
    thrd_join(t[i], &n);
    rows += n;
  }
  printf("%d rows, brightness %lu\n", rows, sum);
  tss_delete(scratch_key);
  cnd_destroy(&img.finished);
  mtx_destroy(&img.lock);
  return 0;
}
