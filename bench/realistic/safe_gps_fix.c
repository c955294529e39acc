// SHOWN
// A position fix is shared through a sequence lock; readers overlap the writer on purpose, but every field of the payload is a relaxed atomic.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#define NFIXES 2000
#define NREADERS 2

struct fix {
  long lat, lon, alt;
};

struct fix_cell {
  atomic_uint seq;
  atomic_long lat, lon, alt;
  unsigned long stores; /* writer only, read after the join */
};

static struct fix_cell cell;
static atomic_bool landed;

static void fix_store(struct fix_cell *c, const struct fix *f) {
  unsigned s = atomic_load_explicit(&c->seq, memory_order_relaxed);

  atomic_store_explicit(&c->seq, s + 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&c->lat, f->lat, memory_order_relaxed); // NORACE
  atomic_store_explicit(&c->lon, f->lon, memory_order_relaxed);
  atomic_store_explicit(&c->alt, f->alt, memory_order_relaxed);
  atomic_store_explicit(&c->seq, s + 2, memory_order_release);
  c->stores++; // NORACE
}

static int fix_try_load(struct fix_cell *c, struct fix *out) {
  unsigned before = atomic_load_explicit(&c->seq, memory_order_acquire);

  if (before & 1) return 0;
  out->lat = atomic_load_explicit(&c->lat, memory_order_relaxed); // NORACE
  out->lon = atomic_load_explicit(&c->lon, memory_order_relaxed);
  out->alt = atomic_load_explicit(&c->alt, memory_order_relaxed);
  atomic_thread_fence(memory_order_acquire);
  return atomic_load_explicit(&c->seq, memory_order_relaxed) == before;
}

static void *receiver(void *arg) {
  struct fix f;

  (void)arg;
  for (long i = 1; i <= NFIXES; i++) {
    f.lat = i;
    f.lon = 2 * i;
    f.alt = 3 * i;
    fix_store(&cell, &f);
  }
  atomic_store(&landed, 1);
  return NULL;
}

struct display {
  pthread_t tid;
  unsigned long good, torn;
  struct fix last;
};

static void *show(void *arg) {
  struct display *d = arg;
  struct fix f;
  int stop;

  do {
    stop = atomic_load(&landed);
    if (!fix_try_load(&cell, &f)) continue;
    d->good++;
    if (f.lon != 2 * f.lat || f.alt != 3 * f.lat) d->torn++;
    d->last = f;
  } while (!stop);
  return NULL;
}

int main(void) {
  struct display d[NREADERS] = {0};
  pthread_t gps;

  for (int i = 0; i < NREADERS; i++) pthread_create(&d[i].tid, NULL, show, &d[i]);
  pthread_create(&gps, NULL, receiver, NULL);
  pthread_join(gps, NULL);
  for (int i = 0; i < NREADERS; i++) {
    pthread_join(d[i].tid, NULL);
    printf("display %d: torn %lu, last %ld\n", i, d[i].torn, d[i].last.lat);
  }
  printf("%lu fixes stored\n", cell.stores);
  return 0;
}
