// VERBS check run
// SHOWN
// Locks that a program makes of a word: what is done after they are let go is not under them, and they are no signals.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

static int exchange(int *cell, int value) {
  __asm__ __volatile__("xchgl %0, %1" : "+r"(value), "+m"(*cell) : : "memory");
  return value;
}

struct account {
  atomic_int word;
  int assembly;
  atomic_flag flag, mine;
  volatile int builtin;
  int sum, count, total, seen, late, under_other;
};
static struct account shared;

static void take(atomic_int *word) {
  for (int free = 0; !atomic_compare_exchange_weak(word, &free, 1); free = 0) sched_yield();
}

static void leave(atomic_int *word) { atomic_store_explicit(word, 0, memory_order_release); }

static void *add(void *unused) {
  struct account *a = &shared;
  for (int i = 0; i < 3; ++i) {
    take(&a->word);
    a->sum += 1; // NORACE
    a->under_other += 1; // RACE other
    leave(&a->word);
    a->late += 1; // RACE late SELF
    while (exchange(&a->assembly, 1)) sched_yield();
    a->count += 1; // NORACE
    exchange(&a->assembly, 0);
    while (atomic_flag_test_and_set(&a->flag)) sched_yield();
    a->total += 1; // NORACE
    atomic_flag_clear(&a->flag);
    while (__sync_lock_test_and_set(&a->builtin, 1)) sched_yield();
    a->seen += 1; // RACE glance
    __sync_lock_release(&a->builtin);
  }
  return unused;
}

static void *look(void *unused) {
  struct account *a = &shared;
  while (atomic_flag_test_and_set(&a->mine)) sched_yield();
  a->under_other = 0; // RACE other
  atomic_flag_clear(&a->mine);
  int seen = a->seen; // RACE glance
  take(&a->word);
  a->sum += seen; // NORACE
  leave(&a->word);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, add, NULL);
  pthread_create(&threads[2], NULL, look, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  return 0;
}
