// VERBS check confirm
// A thread per round, which starts others of its own and joins them before it ends: what it prepares, the others of the round before do not
// see any more. What a thread leaves running does, and so do those that are joined only if they have ended already.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_t *threads;
static int slots, eof, lines, ended, seen;

static void *enter(void *function) {
  ((void (*)(void))function)();
  return NULL;
}

static pthread_t start(void (*function)(void)) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, enter, (void *)function)) abort();
  return thread;
}

static void worker(void) {
  pthread_mutex_lock(&mutex);
  --slots; // NORACE
  eof = 1; // NORACE
  pthread_mutex_unlock(&mutex);
}

static void first(void) {
  slots = 2; // NORACE
  eof = 0;   // NORACE
  for (int i = 1; i < 3; ++i) threads[i] = start(worker);
  for (int i = 1; i < 3; ++i) pthread_join(threads[i], NULL);
  if (!eof) abort(); // NORACE
}

static void count(void) {
  pthread_mutex_lock(&mutex);
  ++lines; // RACE left
  pthread_mutex_unlock(&mutex);
}

static void leaving(void) { pthread_detach(start(count)); }

static void client(void) {
  ++seen; // RACE clients SELF
  pthread_mutex_lock(&mutex);
  ended = 1;
  pthread_mutex_unlock(&mutex);
}

static int hasEnded(void) {
  pthread_mutex_lock(&mutex);
  int is = ended;
  pthread_mutex_unlock(&mutex);
  return is;
}

int main(int argc, char **argv) {
  (void)argv;
  for (int round = 0; round < argc + 1; ++round) {
    threads = malloc(3 * sizeof *threads);
    *threads = start(first);
    pthread_join(*threads, NULL);
    free(threads);
  }
  for (int round = 0; round < argc + 1; ++round) {
    pthread_t own = start(leaving);
    pthread_join(own, NULL);
    lines = 0; // RACE left
  }
  for (int round = 0; round < argc + 1; ++round) {
    pthread_t one = start(client);
    if (hasEnded()) pthread_join(one, NULL);
  }
  return 0;
}
