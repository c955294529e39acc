// VERBS check
// SHOWN
// Threads are started, locks taken and blocks made by functions of the library that variables hold, as programs do that let others exchange
// them. A variable that holds one of the program's own or another one is asked for both.
#include <pthread.h>
#include <stdlib.h>

typedef int (*creator)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

static creator create = pthread_create;

void set_creator(creator given) { create = given ? given : pthread_create; }

static struct {
  int (*lock)(pthread_mutex_t *);
  int (*unlock)(pthread_mutex_t *);
  void *(*allocate)(size_t);
} hooks = {pthread_mutex_lock, pthread_mutex_unlock, malloc};

void set_hooks(int (*lock)(pthread_mutex_t *)) { hooks.lock = lock; }

struct own {
  long count;
};

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static long guarded, plain;

static struct own *make(void) { return hooks.allocate(sizeof(struct own)); }

static void *work(void *argument) {
  struct own *own = make();
  own->count = 1; // NORACE
  hooks.lock(&gate);
  guarded += own->count; // NORACE
  hooks.unlock(&gate);
  plain++; // RACE plain SELF
  free(own);
  return argument;
}

static long missed;

static int take_nothing(pthread_mutex_t *mutex) { return mutex == NULL; }

static int (*maybe_lock)(pthread_mutex_t *) = take_nothing;

static void *count(void *argument) {
  maybe_lock(&gate);
  missed++; // RACE missed SELF
  if (maybe_lock != take_nothing) pthread_mutex_unlock(&gate);
  return argument;
}

int main(int argc, char **argv) {
  (void)argv;
  if (argc > 1) maybe_lock = pthread_mutex_lock;
  pthread_t workers[2], counters[2];
  for (int i = 0; i < 2; ++i) {
    create(&workers[i], NULL, work, NULL);
    create(&counters[i], NULL, count, NULL);
  }
  for (int i = 0; i < 2; ++i) {
    pthread_join(workers[i], NULL);
    pthread_join(counters[i], NULL);
  }
  return guarded == 2 ? 0 : 1;
}
