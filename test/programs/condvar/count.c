// VERBS check confirm
// FLAGS -O0
// Detached workers are counted, and main waits under a condition variable until none is left: what they did before they were counted off
// is done. What they do after that races.
#include <pthread.h>

struct group {
  pthread_mutex_t lock;
  pthread_cond_t done;
  int pending;
};

static struct group all = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};
static int before, after;

static void *work(void *argument) {
  before = 1; // RACE before SELF
  pthread_mutex_lock(&all.lock);
  if (--all.pending == 0) pthread_cond_signal(&all.done); // NORACE
  pthread_mutex_unlock(&all.lock);
  after = 1; // RACE after SELF // RACE late
  return argument;
}

static void waitForAll(struct group *group) {
  pthread_mutex_lock(&group->lock);
  while (group->pending > 0) pthread_cond_wait(&group->done, &group->lock); // NORACE
  pthread_mutex_unlock(&group->lock);
}

int main(void) {
  pthread_t thread;
  for (int i = 0; i < 4; ++i) {
    pthread_mutex_lock(&all.lock);
    ++all.pending; // NORACE
    pthread_mutex_unlock(&all.lock);
    pthread_create(&thread, NULL, work, NULL);
    pthread_detach(thread);
  }
  waitForAll(&all);
  int sum = before; // NORACE
  sum += after;     // RACE late
  return sum < 0;
}
