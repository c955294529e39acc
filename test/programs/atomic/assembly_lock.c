// VERBS run confirm
// A lock and a counter of the program's own, in assembly: they order what they guard. One access forgets the lock.
#include <pthread.h>
#include <stddef.h>

static int word;
static long served;
static int guarded;
static int forgotten;

static int exchange(int *cell, int value) {
  __asm__ __volatile__("xchgl %0, %1" : "+r"(value), "+m"(*cell) : : "memory");
  return value;
}

static void lock(void) {
  while (exchange(&word, 1)) __asm__ __volatile__("pause");
}

static void unlock(void) { exchange(&word, 0); }

static void *serve(void *unused) {
  for (int i = 0; i < 100; ++i) {
    __asm__ __volatile__("lock; incq %0" : "+m"(served)); // NORACE
    lock();
    guarded += 1; // NORACE
    unlock();
  }
  forgotten += 1; // RACE forgotten SELF
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, serve, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return guarded == 200 && served == 200 ? 0 : 1;
}
