// VERBS check confirm
// FLAGS -O0
// ARGS drain
// A mode that was left before threads are started is not theirs; one that is entered again while they run is.
#include <pthread.h>

enum { STARTING = 32, QUIET = 4, DRAINING = 64 };

static int mode = STARTING;
static long early, late, drained;

static void report(void) {
  if (mode & STARTING) // RACE mode
    early += 1;        // NORACE nobody starts while threads run
  late += 1;           // RACE late SELF
  if (mode & DRAINING) // RACE again
    drained += 1;      // RACE drained SELF
}

static void *worker(void *unused) {
  (void)unused;
  report();
  return NULL;
}

int main(int argc, char **argv) {
  (void)argv;
  pthread_t threads[2];
  report();
  mode &= ~STARTING;
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, worker, NULL);
  if (argc > 1) mode |= DRAINING; // RACE mode again
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return (int)(early + late + drained);
}
