// VERBS check
// SHOWN
// A thread-local variable is the thread's own, unless its address is kept where others find it.
#include <pthread.h>
#include <stdio.h>

enum { kThreads = 3 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long *counters[kThreads];
static _Thread_local long requests;
static _Thread_local long own;

static void add(long *total, long more) {
  *total += more; // NORACE each thread gives its own
}

static void *work(void *argument) {
  const int number = *(const int *)argument;
  pthread_mutex_lock(&lock);
  counters[number] = &requests;
  pthread_mutex_unlock(&lock);
  for (int i = 0; i < 1000; ++i) {
    requests += 1; // RACE scraped
    own += 1;      // NORACE
    add(&own, 2);
  }
  pthread_mutex_lock(&lock);
  counters[number] = NULL;
  pthread_mutex_unlock(&lock);
  return NULL;
}

static long scrape(void) {
  long sum = 0;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < kThreads; ++i)
    if (counters[i]) sum += *counters[i]; // RACE scraped
  pthread_mutex_unlock(&lock);
  return sum;
}

int main(void) {
  static const int numbers[kThreads] = {0, 1, 2};
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; ++i) pthread_create(&threads[i], NULL, work, (void *)&numbers[i]);
  printf("%ld\n", scrape());
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], NULL);
  return 0;
}
