// Functions that take a lock only if they are told to: by a constant, by what the caller was told, or by whether there are several threads.
#include <pthread.h>

struct metrics {
  pthread_mutex_t mutex;
  long reads, merged, passed, forgotten, late;
};

static struct metrics metrics = {.mutex = PTHREAD_MUTEX_INITIALIZER};
static int several;

static void enter(pthread_mutex_t *mutex, int locked) {
  if (locked) pthread_mutex_lock(mutex);
}

static void leave(pthread_mutex_t *mutex, int locked) {
  if (locked) pthread_mutex_unlock(mutex);
}

static void add(struct metrics *to, long count) {
  enter(&to->mutex, 1);
  to->reads += count; // NORACE
  leave(&to->mutex, 1);
}

static void merge(struct metrics *to, long count, int locked) {
  enter(&to->mutex, locked);
  to->merged += count; // NORACE
  leave(&to->mutex, locked);
  to->late += count; // RACE late SELF
}

static void enter_twice_removed(struct metrics *of, int locked) { enter(&of->mutex, locked); }

static void pass(struct metrics *to, long count) {
  enter_twice_removed(to, 1);
  to->passed += count; // NORACE
  leave(&to->mutex, 1);
}

static void forget(struct metrics *to, long count) {
  enter(&to->mutex, 0);
  to->forgotten += count; // RACE forgotten SELF
  leave(&to->mutex, 0);
}

static void *work(void *unused) {
  add(&metrics, 1);
  merge(&metrics, 1, several);
  pass(&metrics, 1);
  forget(&metrics, 1);
  return unused;
}

int main(int count, char **unused) {
  (void)unused;
  pthread_t threads[2];
  several = count > 0;
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return metrics.reads == 0;
}
