// A queue of one: the mutex of the condition orders. The counter beside it was forgotten.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int full;
static int item;
static int traffic;

static void *consume(void *unused) {
  pthread_mutex_lock(&gate);
  while (!full) pthread_cond_wait(&filled, &gate); // NORACE
  int taken = item;                                // NORACE
  pthread_mutex_unlock(&gate);
  traffic += taken; // RACE traffic
  return unused;
}

int main(void) {
  pthread_t consumer;
  pthread_create(&consumer, NULL, consume, NULL);
  pthread_mutex_lock(&gate);
  item = 3; // NORACE
  full = 1; // NORACE
  pthread_cond_signal(&filled);
  pthread_mutex_unlock(&gate);
  traffic += 1; // RACE traffic
  pthread_join(consumer, NULL);
  printf("%d\n", item);
  return 0;
}
