// Jobs of a pool whose threads look now and then whether there is one: they begin when they are put into the list. A callback that is set under a
// lock is no job: who calls it may do so at any time.
#include <pthread.h>
#include <unistd.h>

struct job {
  struct job *next;
  int (*function)(void *);
  void *argument;
};

struct pool {
  pthread_mutex_t gate;
  struct job *first;
  int closed;
  int (*idle)(void);
  pthread_t thread;
};

static struct pool pool = {.gate = PTHREAD_MUTEX_INITIALIZER};
static int level, progress, patience;

static void *serve(void *argument) {
  struct pool *mine = argument;
  for (;;) {
    pthread_mutex_lock(&mine->gate);
    struct job *job = mine->first;
    int closed = mine->closed;
    int (*idle)(void) = mine->idle;
    if (job) mine->first = job->next;
    pthread_mutex_unlock(&mine->gate);
    if (job) job->function(job->argument);
    if (!job && idle) idle();
    if (!job && closed) return NULL;
    if (!job) usleep(100);
  }
}

static void put(struct pool *into, struct job *job, int (*function)(void *), void *argument) {
  job->function = function;
  job->argument = argument;
  pthread_mutex_lock(&into->gate);
  job->next = into->first;
  into->first = job;
  pthread_mutex_unlock(&into->gate);
}

static int count(void *argument) {
  progress += level + *(int *)argument; // RACE progress
  return 0;
}

static int wait_more(void) {
  return patience; // RACE patience
}

static void call_when_idle(struct pool *of, int (*function)(void)) {
  pthread_mutex_lock(&of->gate);
  of->idle = function;
  pthread_mutex_unlock(&of->gate);
}

int main(void) {
  static struct job job;
  int step = 1;
  call_when_idle(&pool, wait_more);
  pthread_create(&pool.thread, NULL, serve, &pool);
  level = 3; // NORACE there is no job yet
  patience = 2; // RACE patience
  put(&pool, &job, count, &step);
  int seen = progress; // RACE progress
  pthread_mutex_lock(&pool.gate);
  pool.closed = 1;
  pthread_mutex_unlock(&pool.gate);
  pthread_join(pool.thread, NULL);
  return seen + progress > 100;
}
