// VERBS check confirm
// A spin lock that looks before it tries: the way around the atomic update only leads back.
#include <pthread.h>
#include <stdatomic.h>

static atomic_ulong word;
static long inside, outside;

#define LOCK(l)                                                                                                        \
  for (;;) {                                                                                                           \
    unsigned long seen = atomic_load_explicit(l, memory_order_relaxed);                                                \
    if (!(seen & 4)) seen = atomic_fetch_or(l, 4) & 4;                                                                 \
    if (!seen) break;                                                                                                  \
    __asm__ volatile("" ::: "memory");                                                                                 \
  }

static void *worker(void *unused) {
  (void)unused;
  for (int i = 0; i < 9; ++i) {
    LOCK(&word);
    inside += 1; // NORACE
    atomic_fetch_and(&word, ~4UL);
  }
  return NULL;
}

static void *idler(void *unused) {
  (void)unused;
  outside += 1; // RACE outside SELF
  return NULL;
}

int main(void) {
  pthread_t threads[4];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 2; i < 4; ++i) pthread_create(&threads[i], NULL, idler, NULL);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
  return (int)(inside + outside);
}
