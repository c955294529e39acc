// SHOWN
// A capture loop fans frames out to several encoders; references are dropped under the frame's lock but taken without it.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#define NFRAMES 4
#define NENC 3
#define FRAME_BYTES 64

struct frame {
  pthread_mutex_t lock;
  int refs;
  unsigned char pixels[FRAME_BYTES];
};

struct encoder {
  pthread_t tid;
  struct frame *src;
  unsigned sum;
};

static struct frame frames[NFRAMES];
static struct encoder encoders[NFRAMES][NENC];
static atomic_int recycled;

static void frame_init(struct frame *f, int seed) {
  pthread_mutex_init(&f->lock, NULL);
  f->refs = 1;
  for (int i = 0; i < FRAME_BYTES; i++) f->pixels[i] = (unsigned char)(seed * 31 + i);
}

static struct frame *frame_get(struct frame *f) {
  f->refs++; // RACE a
  return f;
}

static void frame_put(struct frame *f) {
  int left;

  pthread_mutex_lock(&f->lock);
  left = --f->refs; // RACE a
  pthread_mutex_unlock(&f->lock);
  if (left == 0) atomic_fetch_add(&recycled, 1);
}

static void *encode(void *arg) {
  struct encoder *e = arg;

  for (int i = 0; i < FRAME_BYTES; i++) e->sum = e->sum * 33 + e->src->pixels[i];
  frame_put(e->src);
  return NULL;
}

int main(void) {
  unsigned sum = 0;

  for (int f = 0; f < NFRAMES; f++) {
    frame_init(&frames[f], f);
    for (int i = 0; i < NENC; i++) {
      struct encoder *e = &encoders[f][i];

      e->src = frame_get(&frames[f]);
      if (pthread_create(&e->tid, NULL, encode, e) != 0) return 1;
    }
    frame_put(&frames[f]);
  }
  for (int f = 0; f < NFRAMES; f++)
    for (int i = 0; i < NENC; i++) {
      pthread_join(encoders[f][i].tid, NULL);
      sum += encoders[f][i].sum;
    }
  printf("recycled %d frames, checksum %u\n", atomic_load(&recycled), sum);
  return 0;
}
