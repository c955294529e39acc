// VERBS check run confirm
// SHOWN
// A lock of which each thread has another one keeps nobody out of what all have: on the stack, thread-local, in what the thread was started
// with, or made by it. A lock that main has made for all of them does.
#include <pthread.h>
#include <stdlib.h>

struct shared {
  pthread_mutex_t lock;
  long total, sum;
};

struct task {
  pthread_mutex_t lock;
  struct shared *shared;
  long done;
};

static long by_stack, by_thread, by_heap;
static _Thread_local pthread_mutex_t threads_own = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *argument) {
  struct task *task = argument;
  pthread_mutex_t local = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_t *made = malloc(sizeof *made);
  pthread_mutex_init(made, NULL);

  pthread_mutex_lock(&local);
  by_stack++;  // RACE stack SELF
  pthread_mutex_unlock(&local);

  pthread_mutex_lock(&threads_own);
  by_thread++;  // RACE thread SELF
  pthread_mutex_unlock(&threads_own);

  pthread_mutex_lock(made);
  by_heap++;  // RACE heap SELF
  pthread_mutex_unlock(made);

  pthread_mutex_lock(&task->lock);
  task->shared->total++;  // RACE task SELF
  task->done++;           // NORACE
  pthread_mutex_unlock(&task->lock);

  pthread_mutex_lock(&task->shared->lock);
  task->shared->sum++;  // NORACE
  pthread_mutex_unlock(&task->shared->lock);
  return NULL;
}

int main(void) {
  struct shared *shared = calloc(1, sizeof *shared);
  struct task tasks[3];
  pthread_t threads[3];
  pthread_mutex_init(&shared->lock, NULL);
  for (int i = 0; i < 3; i++) {
    tasks[i].shared = shared;
    tasks[i].done = 0;
    pthread_mutex_init(&tasks[i].lock, NULL);
    pthread_create(&threads[i], NULL, work, &tasks[i]);
  }
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  return by_stack + by_thread + by_heap + shared->total + shared->sum == 0;
}
