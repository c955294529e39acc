// VERBS check confirm
// Two kinds of threads start each other: what came before the first of them is before all.
#include <pthread.h>
#include <stddef.h>

static int table[4];
static int limit = 3;
static int rounds;

static void *pong(void *argument);

static void start(void *(*entry)(void *), long left) {
  pthread_t thread;
  if (left > 0 && pthread_create(&thread, NULL, entry, (void *)left) == 0) pthread_detach(thread);
}

static void *ping(void *argument) {
  start(pong, (long)argument - table[1]); // NORACE filled before there were threads
  rounds += 1;                            // RACE rounds SELF
  return NULL;
}

static void *pong(void *argument) {
  start(ping, (long)argument - table[1]); // NORACE
  return NULL;
}

__attribute__((constructor)) static void fill(void) {
  for (int i = 0; i < 4; ++i) table[i] = i; // NORACE before main
}

int main(int argc, char **argv) {
  (void)argv;
  limit = argc + 3; // NORACE
  start(ping, limit);
  pthread_exit(NULL);
}
