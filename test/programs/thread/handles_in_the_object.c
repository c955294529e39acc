// VERBS check run
// SHOWN
// A pool has room for the handles of all its threads, and all are given the pool. A worker has room for one handle: its own.
#include <pthread.h>

enum { kThreads = 3 };

struct pool {
  pthread_t handles[kThreads];
  pthread_t last;
  long done, started;
};

struct worker {
  pthread_t handle;
  long done;
};

static void *work(void *given) {
  struct pool *pool = given;
  pool->done++; // RACE done SELF
  return NULL;
}

static void start(struct pool *pool, int count) {
  for (int i = 0; i < count; i++) pthread_create(&pool->handles[i], NULL, work, pool);
}

static void *serve(void *given) {
  struct pool *pool = given;
  pool->started++; // RACE started SELF
  return NULL;
}

// The handles are lost: nobody joins them.
static void serve_detached(struct pool *pool) {
  for (int i = 0; i < kThreads; i++) {
    pthread_create(&pool->last, NULL, serve, pool);
    pthread_detach(pool->last);
  }
}

static void *work_alone(void *given) {
  struct worker *worker = given;
  worker->done++; // NORACE
  return NULL;
}

static void start_worker(struct worker *worker) { pthread_create(&worker->handle, NULL, work_alone, worker); }

static void *work_at_place(void *given) {
  struct worker *worker = given;
  worker->done++; // NORACE
  return NULL;
}

static void start_at(struct worker *all, int i) { pthread_create(&all[i].handle, NULL, work_at_place, &all[i]); }

int main(void) {
  static struct pool pool, server;
  static struct worker workers[kThreads], others[kThreads];
  start(&pool, kThreads);
  serve_detached(&server);
  for (int i = 0; i < kThreads; i++) start_worker(&workers[i]);
  for (int i = 0; i < kThreads; i++) start_at(others, i);
  for (int i = 0; i < kThreads; i++) {
    pthread_join(pool.handles[i], NULL);
    pthread_join(workers[i].handle, NULL);
    pthread_join(others[i].handle, NULL);
  }
  pthread_exit(NULL);
}
