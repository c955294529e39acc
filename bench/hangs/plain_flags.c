// Loops that wait for plain memory, with and without a word to the kernel.
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static volatile int first, second, third;
static int shared;

static void bump(void) {
  pthread_mutex_lock(&gate);
  shared++; // aimed at
  pthread_mutex_unlock(&gate);
}

static void *one(void *unused) {
  while (!first) {
  }
  bump();
  second = 1;
  while (!third) sched_yield();
  return unused;
}

static void *two(void *unused) {
  bump();
  while (!second) usleep(10);
  third = 1;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, one, NULL);
  pthread_create(&b, NULL, two, NULL);
  first = 1;
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return shared == 2 ? 0 : 1;
}
