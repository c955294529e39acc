// SHOWN
// A trace ring made for one producer and one consumer (atomic head and tail, plain slots) has been given a second producer.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

#define CAP 64u
#define PER_SOURCE 1000

struct ring {
  atomic_uint head;
  atomic_uint tail;
  atomic_bool closed;
  long slot[CAP];
};

static struct ring trace;
static atomic_uint dropped;

static int ring_put(struct ring *r, long v) {
  unsigned h = atomic_load_explicit(&r->head, memory_order_relaxed);
  unsigned t = atomic_load_explicit(&r->tail, memory_order_acquire);

  if (h - t >= CAP) return 0;
  r->slot[h % CAP] = v; // RACE put SELF // RACE get
  atomic_store_explicit(&r->head, h + 1, memory_order_release);
  return 1;
}

static int ring_get(struct ring *r, long *out) {
  unsigned t = atomic_load_explicit(&r->tail, memory_order_relaxed);
  unsigned h = atomic_load_explicit(&r->head, memory_order_acquire);

  if ((int)(h - t) <= 0) return 0;
  *out = r->slot[t % CAP]; // RACE get
  atomic_store_explicit(&r->tail, t + 1, memory_order_release);
  return 1;
}

static void *source(void *arg) {
  long base = *(const long *)arg;

  for (int i = 0; i < PER_SOURCE; i++)
    if (!ring_put(&trace, base + i)) {
      sched_yield();
      if (!ring_put(&trace, base + i)) atomic_fetch_add_explicit(&dropped, 1, memory_order_relaxed);
    }
  return NULL;
}

static void *drain(void *arg) {
  unsigned long *seen = arg;
  long v, last = 0;

  for (;;) {
    int closed = atomic_load(&trace.closed);

    if (ring_get(&trace, &v)) {
      ++*seen;
      last = v;
    } else if (closed) {
      break;
    } else {
      sched_yield();
    }
  }
  printf("last event %ld\n", last);
  return NULL;
}

int main(void) {
  static const long base[2] = {100000, 200000};
  pthread_t src[2], sink;
  unsigned long seen = 0;

  pthread_create(&sink, NULL, drain, &seen);
  for (int i = 0; i < 2; i++) pthread_create(&src[i], NULL, source, (void *)&base[i]);
  for (int i = 0; i < 2; i++) pthread_join(src[i], NULL);
  atomic_store(&trace.closed, 1);
  pthread_join(sink, NULL);
  printf("seen %lu dropped %u\n", seen, atomic_load(&dropped));
  return 0;
}
