// SHOWN
// A seqlock done right: payload in relaxed atomics, fences around them.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

struct clock_data {
  _Atomic unsigned seq;
  _Atomic uint64_t base;
  _Atomic uint32_t mult;
  _Atomic uint32_t shift;
};

struct reading {
  uint64_t base;
  uint32_t mult, shift;
};

static struct clock_data clk = {.mult = 1};
static pthread_mutex_t writers = PTHREAD_MUTEX_INITIALIZER;
static unsigned updates;

static void clock_update(uint64_t base, uint32_t mult, uint32_t shift) {
  pthread_mutex_lock(&writers);
  unsigned seq = atomic_load_explicit(&clk.seq, memory_order_relaxed);
  atomic_store_explicit(&clk.seq, seq + 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&clk.base, base, memory_order_relaxed);
  atomic_store_explicit(&clk.mult, mult, memory_order_relaxed);
  atomic_store_explicit(&clk.shift, shift, memory_order_relaxed);
  atomic_store_explicit(&clk.seq, seq + 2, memory_order_release);
  updates++; // NORACE all writers hold the lock
  pthread_mutex_unlock(&writers);
}

static struct reading clock_read(void) {
  struct reading r;
  unsigned seq;
  do {
    while ((seq = atomic_load_explicit(&clk.seq, memory_order_acquire)) & 1);
    r.base = atomic_load_explicit(&clk.base, memory_order_relaxed);
    r.mult = atomic_load_explicit(&clk.mult, memory_order_relaxed);
    r.shift = atomic_load_explicit(&clk.shift, memory_order_relaxed);
    atomic_thread_fence(memory_order_acquire);
  } while (atomic_load_explicit(&clk.seq, memory_order_relaxed) != seq);
  return r;
}

static void *ticker(void *arg) {
  uint32_t step = *(uint32_t *)arg;
  for (uint32_t i = 0; i < 100; i++) clock_update(i * step, i, i);
  return NULL;
}

static void *reader(void *arg) {
  unsigned *torn = arg;
  for (int i = 0; i < 200; i++) {
    struct reading r = clock_read();
    if (r.mult != r.shift && r.mult != 1) ++*torn;
  }
  return NULL;
}

int main(void) {
  pthread_t t[4];
  uint32_t steps[2] = {10, 20};
  unsigned torn[2] = {0};
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, ticker, &steps[i]);
  for (int i = 0; i < 2; i++) pthread_create(&t[2 + i], NULL, reader, &torn[i]);
  for (int i = 0; i < 4; i++) pthread_join(t[i], NULL);
  printf("%u updates, %u torn\n", updates, torn[0] + torn[1]);
  return 0;
}
