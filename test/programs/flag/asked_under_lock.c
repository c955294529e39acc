// VERBS check
// What is made on first use under a lock, and used without it by whoever has asked for it under the lock. Who has not asked, or asked under
// another lock, has a race.
#include <pthread.h>
#include <stdlib.h>

struct table {
  int size;
};

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static struct table *table, *unasked, *elsewhere;

static struct table *made(int size) {
  struct table *fresh = malloc(sizeof *fresh);
  if (fresh) fresh->size = size;
  return fresh;
}

static int load(void) {
  table = made(8); // NORACE
  if (!table) return -1;
  table->size += 1; // NORACE
  return 0;
}

static int find(void) {
  pthread_mutex_lock(&gate);
  if (!table && load() < 0) { // NORACE
    pthread_mutex_unlock(&gate);
    return 0;
  }
  pthread_mutex_unlock(&gate);
  return table->size; // NORACE
}

static void ensure(void) {
  pthread_mutex_lock(&gate);
  if (!unasked) unasked = made(2); // RACE unasked
  pthread_mutex_unlock(&gate);
}

static void ensure_elsewhere(void) {
  pthread_mutex_lock(&gate);
  if (!elsewhere) elsewhere = made(3); // RACE elsewhere
  pthread_mutex_unlock(&gate);
}

static int look(void) {
  ensure();
  return unasked->size; // NORACE ensure has asked
}

static int look_early(void) {
  int early = unasked != NULL; // RACE unasked
  ensure();
  return early;
}

static int look_elsewhere(void) {
  pthread_mutex_lock(&other);
  int is_there = elsewhere != NULL; // RACE elsewhere
  pthread_mutex_unlock(&other);
  ensure_elsewhere();
  return is_there;
}

static void *work(void *unused) {
  return find() + look() + look_early() + look_elsewhere() > 100 ? unused : NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
