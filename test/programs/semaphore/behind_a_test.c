// VERBS check run
// A semaphore behind functions that look first whether there is one: who calls them with one has waited, whatever they return. A test of
// something else is none of it.
#include <pthread.h>
#include <semaphore.h>

static sem_t gate;
static int quiet;
static int guarded, loud;

static int wait_for(sem_t *semaphore) {
  if (!semaphore) return -1;
  sem_wait(semaphore);
  return 0;
}

static int tell(sem_t *semaphore) {
  if (!semaphore) return -1;
  sem_post(semaphore);
  return 0;
}

static int wait_unless_quiet(sem_t *semaphore) {
  if (quiet) return -1;
  sem_wait(semaphore);
  return 0;
}

static int tell_unless_quiet(sem_t *semaphore) {
  if (quiet) return -1;
  sem_post(semaphore);
  return 0;
}

static void count(void) {
  wait_for(&gate);
  guarded += 1; // NORACE
  tell(&gate);
  wait_unless_quiet(&gate);
  loud += 1; // RACE loud SELF
  tell_unless_quiet(&gate);
}

static void *work(void *unused) {
  count();
  return unused;
}

int main(int argc, char **argv) {
  pthread_t thread;
  (void)argv;
  quiet = argc < 2;
  sem_init(&gate, 0, 1);
  pthread_create(&thread, NULL, work, NULL);
  count();
  pthread_join(thread, NULL);
  return guarded + loud > 4;
}
