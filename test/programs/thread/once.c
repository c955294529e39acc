// VERBS check confirm
// What pthread_once initialises is ready for everybody who asked; who does not ask may see half of it.
#include <pthread.h>
#include <stddef.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int table[4];
static int limit;

static void fill(void) {
  table[1] = 7; // NORACE
  limit = 4;    // RACE limit
}

static void *ask(void *unused) {
  pthread_once(&once, fill);
  return table[1] == 7 ? unused : NULL; // NORACE
}

static void *peek(void *unused) {
  return limit ? unused : NULL; // RACE limit
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, ask, NULL);
  pthread_create(&threads[2], NULL, peek, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  return 0;
}
