// A read and the write of the same bytes that follows it in its block are told as one: both lines are found.
#include <pthread.h>

static int steps;
static int total;

static void *count(void *unused) {
  int old = steps; // RACE a
  total = old;     // RACE b SELF
  steps = old + 1; // RACE a // RACE c SELF
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, count, NULL);
  pthread_create(&second, NULL, count, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return total == 2 || steps > 2;
}
