// VERBS check confirm
// A pool that the first user starts: what its initialiser does before it starts the workers is before all that they do, though any of
// several threads may be the one that runs it; and a function that only calls pthread_once is pthread_once.
#include <pthread.h>
#include <stdlib.h>

static pthread_once_t once = PTHREAD_ONCE_INIT, other = PTHREAD_ONCE_INIT;
static pthread_mutex_t mutex;
static pthread_cond_t cond;
static int queue, late, version;
static pthread_t threads[4];

static void callOnce(pthread_once_t *guard, void (*callback)(void)) {
  if (pthread_once(guard, callback)) abort();
}

static void *worker(void *unused) {
  for (;;) {
    pthread_mutex_lock(&mutex);
    late++;                                              // RACE late
    while (queue == 0) pthread_cond_wait(&cond, &mutex); // NORACE
    int last = queue < 0;
    queue = 0; // NORACE
    pthread_mutex_unlock(&mutex);
    if (last) return unused;
  }
}

static void findVersion(void) { version = 7; }

static void start(void) {
  callOnce(&other, findVersion);
  pthread_mutex_init(&mutex, NULL);
  queue = 0; // NORACE
  for (int i = 0; i < 4; i++)
    if (pthread_create(&threads[i], NULL, worker, NULL)) abort();
  late = version; // RACE late
}

static void post(int value) {
  callOnce(&once, start);
  pthread_mutex_lock(&mutex);
  queue = value; // NORACE
  pthread_cond_signal(&cond);
  pthread_mutex_unlock(&mutex);
}

static void *user(void *unused) {
  post(3);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, user, NULL);
  post(2);
  pthread_join(thread, NULL);
  return 0;
}
