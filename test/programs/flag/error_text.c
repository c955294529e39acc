// VERBS check confirm
// A function that returns null or the text of an error returns null, mostly: what comes after the test is executed.
#include <pthread.h>
#include <stddef.h>

static long settings, jobs;
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static const char *check(long wanted) {
  if (wanted > 100) return "too many";
  return NULL;
}

static pthread_mutex_t *gate_for(long wanted) {
  if (wanted == 0) return NULL;
  return &gate;
}

static void *worker(void *wanted) {
  const char *error = check(3);
  if (error) return NULL;
  ++settings; // RACE settings SELF
  pthread_mutex_t *lock = gate_for((long)wanted);
  if (!lock) ++jobs; // RACE jobs SELF
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return (int)(settings + jobs);
}
