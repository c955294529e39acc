// VERBS check run confirm
// SHOWN
// A record on the stack of each thread that divides its work, with its lock in it, for itself and its helper: whoever has the same data has
// the same lock. What all share is not guarded by it.
#include <pthread.h>
#include <stddef.h>

struct range {
  pthread_mutex_t lock;
  int next;
};

struct job {
  struct range *range;
};

static long taken;

static int take(struct range *range) {
  pthread_mutex_lock(&range->lock);
  int mine = range->next++; // NORACE
  taken++;                  // RACE taken SELF
  pthread_mutex_unlock(&range->lock);
  return mine;
}

static void *help(void *argument) {
  struct job *job = argument;
  pthread_mutex_lock(&job->range->lock);
  job->range->next++; // NORACE
  pthread_mutex_unlock(&job->range->lock);
  while (take(job->range) < 4) {
  }
  return NULL;
}

static void *divide(void *argument) {
  struct range range = {PTHREAD_MUTEX_INITIALIZER, 0};
  struct job job = {&range};
  pthread_t helper;
  pthread_create(&helper, NULL, help, &job);
  pthread_mutex_lock(&range.lock);
  range.next++; // NORACE
  pthread_mutex_unlock(&range.lock);
  while (take(&range) < 4) {
  }
  pthread_join(helper, NULL);
  return argument;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, divide, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
