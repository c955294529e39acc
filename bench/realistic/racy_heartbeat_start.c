// SHOWN
// An opaque heartbeat module starts its thread first and fills in the interval afterwards, so the new thread may read it too early.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- heartbeat module ---- */

typedef void (*beat_fn)(void *ctx, unsigned n);

struct heartbeat {
  pthread_t tid;
  pthread_mutex_t lock;
  int stop;
  unsigned beats;
  unsigned interval_us;
  beat_fn fn;
  void *ctx;
};

static void *hb_main(void *arg) {
  struct heartbeat *hb = arg;

  for (;;) {
    unsigned n;
    int stop;

    pthread_mutex_lock(&hb->lock);
    stop = hb->stop;
    n = ++hb->beats;
    pthread_mutex_unlock(&hb->lock);
    if (stop) return NULL;
    hb->fn(hb->ctx, n);
    usleep(hb->interval_us); // RACE interval
  }
}

static struct heartbeat *hb_start(unsigned interval_us, beat_fn fn, void *ctx) {
  struct heartbeat *hb = calloc(1, sizeof *hb);

  if (!hb) return NULL;
  hb->fn = fn;
  hb->ctx = ctx;
  if (pthread_mutex_init(&hb->lock, NULL) != 0) goto fail;
  if (pthread_create(&hb->tid, NULL, hb_main, hb) != 0) goto fail_lock;
  hb->interval_us = interval_us; // RACE interval
  return hb;

fail_lock:
  pthread_mutex_destroy(&hb->lock);
fail:
  free(hb);
  return NULL;
}

static unsigned hb_stop(struct heartbeat *hb) {
  unsigned beats;

  pthread_mutex_lock(&hb->lock);
  hb->stop = 1;
  pthread_mutex_unlock(&hb->lock);
  pthread_join(hb->tid, NULL);
  beats = hb->beats;
  pthread_mutex_destroy(&hb->lock);
  free(hb);
  return beats;
}

/* ---- application ---- */

static void note(void *ctx, unsigned n) {
  unsigned *last = ctx;

  *last = n;
}

int main(void) {
  unsigned last = 0;
  struct heartbeat *hb = hb_start(2000, note, &last);

  if (!hb) return 1;
  usleep(20000);
  printf("%s", hb_stop(hb) > 1 ? "alive" : "dead");
  printf(", last beat %s\n", last ? "seen" : "missing");
  return 0;
}
