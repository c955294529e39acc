// VERBS check
// What is initialised by who comes first was initialised by main, before it started threads; or it was not.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static int early_done, methods_done, late_done, rare_done, again_done;
static long early, methods, ending, late, rare, again;

static void init_methods(void) {
  if (!methods_done) {
    methods = 1;      // NORACE
    methods_done = 1; // NORACE
  }
}

static int init_early(void) {
  if (early_done) return 0; // NORACE
  init_methods();
  pthread_mutex_lock(&gate);
  if (!early_done) {
    early = 1;      // NORACE
    early_done = 1; // NORACE
  }
  pthread_mutex_unlock(&gate);
  ending = 1; // NORACE
  return 0;
}

static void init_late(void) {
  if (late_done) return; // RACE late_done
  late = 1;              // RACE late SELF
  late_done = 1;         // RACE late_done // RACE late_set SELF
}

static void init_rare(void) {
  if (rare_done) return; // RACE rare_done
  rare = 1;              // RACE rare SELF
  rare_done = 1;         // RACE rare_done // RACE rare_set SELF
}

static void init_again(void) {
  if (again_done) return; // RACE again_done // RACE again_reset
  again = 1;              // RACE again SELF
  again_done = 1;         // RACE again_done // RACE again_set SELF // RACE again_twice
}

static int open_it(void) {
  if (init_early()) return 1;
  init_again();
  return 0;
}

static void *worker(void *unused) {
  open_it();
  init_methods();
  init_late();
  init_rare();
  again_done = 0; // RACE again_reset // RACE again_twice // RACE reset SELF
  return unused;
}

int main(int argc, char **argv) {
  (void)argv;
  if (open_it()) return 1;
  if (argc > 7) init_rare();
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  init_late();
  return early + methods + ending + late + rare + again == 7;
}
