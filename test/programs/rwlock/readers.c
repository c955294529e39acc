// Readers of a read-write lock are not ordered with each other.
#include <pthread.h>
#include <stdio.h>

static pthread_rwlock_t gate = PTHREAD_RWLOCK_INITIALIZER;
static long table;
static long lookups;

static void *reader(void *unused) {
  pthread_rwlock_rdlock(&gate);
  long found = table; // NORACE
  lookups += found;   // RACE lookups SELF
  pthread_rwlock_unlock(&gate);
  return unused;
}

static void *writer(void *unused) {
  pthread_rwlock_wrlock(&gate);
  table += 1; // NORACE
  pthread_rwlock_unlock(&gate);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, reader, NULL);
  pthread_create(&threads[1], NULL, reader, NULL);
  pthread_create(&threads[2], NULL, writer, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  printf("%ld\n", table + lookups * 0); // NORACE all were joined
  return 0;
}
