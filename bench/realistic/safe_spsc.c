// SHOWN
// A ring for one producer and one consumer without locks; the payload is copied into the slots.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define SLOTS 16

struct frame {
  uint16_t len;
  uint8_t data[62];
};

struct spsc {
  _Alignas(64) atomic_size_t head;
  size_t cached_tail;
  _Alignas(64) atomic_size_t tail;
  size_t cached_head;
  struct frame frames[SLOTS];
};

static bool spsc_push(struct spsc *q, const void *data, uint16_t len) {
  size_t tail = atomic_load_explicit(&q->tail, memory_order_relaxed);
  if (tail - q->cached_head == SLOTS) {
    q->cached_head = atomic_load_explicit(&q->head, memory_order_acquire); // NORACE the producer's
    if (tail - q->cached_head == SLOTS) return false;                      // NORACE the producer's
  }
  struct frame *f = &q->frames[tail % SLOTS];
  f->len = len;               // NORACE the slot is free
  memcpy(f->data, data, len); // NORACE the slot is free
  atomic_store_explicit(&q->tail, tail + 1, memory_order_release);
  return true;
}

static bool spsc_pop(struct spsc *q, struct frame *out) {
  size_t head = atomic_load_explicit(&q->head, memory_order_relaxed);
  if (head == q->cached_tail) {
    q->cached_tail = atomic_load_explicit(&q->tail, memory_order_acquire); // NORACE the consumer's
    if (head == q->cached_tail) return false;                              // NORACE the consumer's
  }
  const struct frame *f = &q->frames[head % SLOTS];
  out->len = f->len;                  // NORACE the slot is full
  memcpy(out->data, f->data, f->len); // NORACE the slot is full
  atomic_store_explicit(&q->head, head + 1, memory_order_release);
  return true;
}

static struct spsc queue;

static void *producer(void *unused) {
  uint8_t data[62];
  for (int i = 0; i < 300; i++) {
    uint16_t len = (uint16_t)(i % 62 + 1);
    memset(data, i, len);
    while (!spsc_push(&queue, data, len)) sched_yield();
  }
  while (!spsc_push(&queue, data, 0)) sched_yield();
  return unused;
}

static void *consumer(void *arg) {
  unsigned long *sum = arg;
  struct frame f;
  for (;;) {
    if (!spsc_pop(&queue, &f)) {
      sched_yield();
      continue;
    }
    if (!f.len) break;
    for (int i = 0; i < f.len; i++) *sum += f.data[i];
  }
  return NULL;
}

int main(void) {
  pthread_t p, c;
  unsigned long sum = 0;
  pthread_create(&p, NULL, producer, NULL);
  pthread_create(&c, NULL, consumer, &sum);
  pthread_join(p, NULL);
  pthread_join(c, NULL);
  printf("%lu\n", sum);
  return 0;
}
