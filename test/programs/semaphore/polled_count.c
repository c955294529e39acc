// Threads that nobody joins count themselves off by an atomic; who asks for it until it is 0 comes after all of them. Who
// does not ask does not.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

enum { kCount = 3 };

static atomic_int left = kCount;
static long results[kCount];
static long early;
static long sum;

static void *work(void *given) {
  int number = (int)(long)given;
  results[number] = number * 10; // NORACE
  if (number == 1) early = 1;    // RACE early
  sum += 1;                      // RACE sum SELF
  atomic_fetch_sub(&left, 1);
  return NULL;
}

int main(void) {
  for (long i = 0; i < kCount; ++i) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, (void *)i);
    pthread_detach(thread);
  }
  long seen = early; // RACE early
  while (atomic_load(&left) > 0) usleep(100);
  for (int i = 0; i < kCount; ++i) seen += results[i]; // NORACE
  printf("%ld\n", seen + sum);                         // NORACE
  return 0;
}
