// VERBS check
// SHOWN
// Members of a record without a name are told apart as those of any other.
#include <pthread.h>
#include <stdio.h>

static struct {
  pthread_mutex_t lock;
  int lookups;
  unsigned row[256];
} table = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int misses;

static void *look(void *argument) {
  const char *text = argument;
  unsigned sum = 0;
  for (; *text; ++text) sum ^= table.row[(unsigned char)(sum ^ *text)]; // NORACE filled before there are threads
  pthread_mutex_lock(&table.lock);
  table.lookups += 1; // NORACE
  pthread_mutex_unlock(&table.lock);
  if (sum == 0) misses += 1; // RACE misses SELF
  return NULL;
}

int main(void) {
  pthread_t first, second;
  for (unsigned i = 0; i < 256; ++i) table.row[i] = i * 2654435761u;
  pthread_create(&first, NULL, look, "one");
  pthread_create(&second, NULL, look, "another");
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  printf("%d %d\n", table.lookups, misses);
  return 0;
}
