// VERBS run confirm
// Fig. 2 of "Race Directed Random Testing": the first thread does much before it reads, the second writes at once. Free
// runs order the two by the lock; a directed run brings them together every time, however much the padding is.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x, padding;
static const char *order = "second";

static void *first(void *unused) {
  pthread_mutex_lock(&lock);
  for (int i = 0; i < 10000; ++i) padding += i; // NORACE
  pthread_mutex_unlock(&lock);
  if (x == 0) // RACE pair
    order = "first";
  return unused;
}

static void *second(void *unused) {
  x = 1; // RACE pair
  pthread_mutex_lock(&lock);
  padding += 1; // NORACE
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  puts(order);
  return 0;
}
