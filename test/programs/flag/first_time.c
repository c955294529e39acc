// VERBS check confirm
// FLAGS -O0
// What happens only until a variable says that it was done comes before the rest.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static volatile int ready;
static int stop;
static long table, size, rounds, turns;

static void prepare(void) {
  size = 8; // NORACE
  table = 1;
}

static void initialise(void) {
  if (ready) return; // RACE ready
  pthread_mutex_lock(&gate);
  if (!ready) {
    prepare();
    ready = 1; // RACE ready
  }
  pthread_mutex_unlock(&gate);
}

static void *worker(void *unused) {
  (void)unused;
  initialise();
  long found = size + table; // NORACE somebody has initialised it
  while (!stop) {            // RACE stop
    rounds += 1;             // RACE rounds SELF
    if (found > 3) stop = 1; // RACE stop // RACE stopping SELF
  }
  turns += 1; // RACE turns SELF
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return (int)(turns + rounds);
}
