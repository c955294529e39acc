// VERBS check confirm
// Locks that a function hands out by number: the same number is the same lock.
#include <pthread.h>
#include <stdlib.h>

enum { OWN, FIRST, SECOND };

static pthread_mutex_t fixed[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static long settings, cache, mixed;

static pthread_mutex_t *get_lock(int kind) {
  pthread_mutex_t *found;
  if (kind == OWN) {
    found = malloc(sizeof *found);
    pthread_mutex_init(found, NULL);
  } else
    found = &fixed[kind - FIRST];
  return found;
}

static void enter(pthread_mutex_t *lock) {
  if (lock) pthread_mutex_lock(lock);
}

static void leave(pthread_mutex_t *lock) {
  if (lock) pthread_mutex_unlock(lock);
}

static void *worker(void *unused) {
  (void)unused;
  pthread_mutex_t *lock = get_lock(FIRST);
  enter(lock);
  ++settings; // NORACE
  ++mixed;    // RACE mixed
  leave(lock);
  pthread_mutex_t *other = get_lock(SECOND);
  pthread_mutex_lock(other);
  ++cache; // NORACE
  ++mixed; // RACE mixed
  pthread_mutex_unlock(other);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return (int)(settings + cache + mixed);
}
