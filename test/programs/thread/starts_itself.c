// VERBS check confirm
// Who is served starts the thread of the next one: two of them run at once, though no loop starts them.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int active;
static int served;
static int rest = 5;

static void *serve(void *unused);

static void start_one(void) {
  pthread_t thread;
  pthread_mutex_lock(&lock);
  int go = rest-- > 0;
  active += go; // RACE started
  pthread_mutex_unlock(&lock);
  if (go && pthread_create(&thread, NULL, serve, NULL) == 0) pthread_detach(thread);
}

static void *serve(void *unused) {
  start_one();
  served += 1;    // RACE served SELF
  if (active > 4) // RACE started ended
    return unused;
  pthread_mutex_lock(&lock);
  active -= 1; // RACE ended
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  start_one();
  pthread_exit(NULL);
}
