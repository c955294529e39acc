// VERBS check
// A flag that is asked for without the lock under which it is set, in threads that are started through a table of many functions: that nobody sees how
// they are started does not say that it was set before.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static int warned, warnings;

static void warn(int bad) {
  if (!bad || warned) return; // RACE warned
  pthread_mutex_lock(&gate);
  if (!warned) {
    warned = 1; // RACE warned
    warnings += 1;
  }
  pthread_mutex_unlock(&gate);
}

static void *decode(void *bad) {
  warn(bad != NULL);
  return NULL;
}

static int run(int threads) {
  pthread_t started[2];
  for (int i = 0; i < 2; ++i) pthread_create(&started[i], NULL, decode, &threads);
  for (int i = 0; i < 2; ++i) pthread_join(started[i], NULL);
  return threads;
}

static int help(int count) { return count; }
static int version(int count) { return count + 1; }
static int list(int count) { return count + 2; }
static int probe(int count) { return count + 3; }
static int quit(int count) { return count + 4; }

static int (*const kCommands[])(int) = {run, help, version, list, probe, quit};

int main(int count, char **unused) {
  (void)unused;
  return kCommands[count % 6](count);
}
