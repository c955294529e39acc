// VERBS check
// A lock that is taken only where there are several threads, and left out everywhere else.
#include <pthread.h>
#include <stdlib.h>

struct job {
  int threads;
  pthread_mutex_t *lock;
  int *next;
};

static pthread_mutex_t jobs = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static int next, done, late, mixed, wrapped;
static int threaded;

static void take(pthread_mutex_t *lock) { pthread_mutex_lock(lock); }
static void give(pthread_mutex_t *lock) { pthread_mutex_unlock(lock); }

static void *work(void *given) {
  struct job *job = given;
  if (job->threads > 1) pthread_mutex_lock(job->lock);
  *job->next += 1; // NORACE
  if (job->threads > 1) pthread_mutex_unlock(job->lock);
  late += 1; // RACE late SELF
  return NULL;
}

static void *count(void *unused) {
  if (threaded) pthread_mutex_lock(&jobs);
  done += 1; // NORACE
  mixed += 1; // RACE mixed
  if (threaded) pthread_mutex_unlock(&jobs);
  pthread_mutex_lock(&other);
  mixed += 1; // RACE mixed
  pthread_mutex_unlock(&other);
  if (threaded) take(&jobs);
  wrapped += 1; // NORACE
  if (threaded) give(&jobs);
  return unused;
}

int main(int count_, char **arguments) {
  struct job job = {count_ > 1 ? atoi(arguments[1]) : 2, &jobs, &next};
  pthread_t threads[4];
  threaded = job.threads > 1;
  if (!threaded) {
    work(&job);
    count(NULL);
    return next + done;
  }
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, &job);
  for (int i = 2; i < 4; ++i) pthread_create(&threads[i], NULL, count, NULL);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
  return next + done;
}
