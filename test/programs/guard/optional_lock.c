// VERBS check confirm
// A lock that may be absent: who has none is alone. A table of methods whose stubs lock nothing is for programs that are.
// A lock that is taken only on a whim guards nothing.
#include <pthread.h>
#include <stddef.h>

struct mutex {
  int id;
  pthread_mutex_t mutex;
};

struct methods {
  void (*enter)(struct mutex *);
  void (*leave)(struct mutex *);
};

static void no_enter(struct mutex *mutex) { (void)mutex; }
static void no_leave(struct mutex *mutex) { (void)mutex; }
static void real_enter(struct mutex *mutex) { pthread_mutex_lock(&mutex->mutex); }
static void real_leave(struct mutex *mutex) { pthread_mutex_unlock(&mutex->mutex); }

static struct methods none = {no_enter, no_leave}, real = {real_enter, real_leave};
static struct methods config;
static struct mutex mutex = {1, PTHREAD_MUTEX_INITIALIZER};
static int alone, whim;
static int by_methods, by_pointer, by_whim;

static void enter(struct mutex *each) {
  if (each) config.enter(each);
}

static void leave(struct mutex *each) {
  if (each) config.leave(each);
}

static void enter_on_whim(struct mutex *each) {
  if (whim) real_enter(each);
}

static void leave_on_whim(struct mutex *each) {
  if (whim) real_leave(each);
}

static struct mutex *pick(void) { return alone ? NULL : &mutex; }

static void *work(void *unused) {
  config.enter(&mutex);
  ++by_methods; // NORACE
  config.leave(&mutex);
  struct mutex *each = pick();
  enter(each);
  ++by_pointer; // NORACE
  leave(each);
  enter_on_whim(&mutex);
  ++by_whim; // RACE whim SELF
  leave_on_whim(&mutex);
  return unused;
}

int main(int argc, char **argv) {
  (void)argv;
  alone = argc > 2;
  whim = argc > 3;
  config = argc > 1 ? none : real;
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return by_methods + by_pointer + by_whim;
}
