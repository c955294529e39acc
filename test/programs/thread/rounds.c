// VERBS check confirm
// ARGS a b
// A program that goes from file to file: each round prepares, starts its threads and joins them before the next one.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int no_threads;
static long size;     // of the file at hand
static long done;     // by all workers
static long progress; // told while they work

static void *work(void *unused) {
  done += size; // RACE done SELF
  pthread_mutex_lock(&lock);
  progress += size; // RACE told
  pthread_mutex_unlock(&lock);
  return unused;
}

static void *print(void *unused) {
  printf("%ld\n", size); // NORACE
  return unused;
}

struct pool {
  int count;
  void *(*entry)(void *);
  pthread_t *threads;
};

struct owner {
  struct pool *pool;
  char name[8];
};

static void start(struct owner *owner) {
  for (int i = 0; i < owner->pool->count; ++i) pthread_create(&owner->pool->threads[i], NULL, work, NULL);
}

static void stop(struct owner *owner) {
  for (int i = 0; i < owner->pool->count; ++i) pthread_join(owner->pool->threads[i], NULL);
}

static pthread_t *helpers; // one more for each round
static long rounds;

static void *count_round(void *unused) {
  rounds += size; // NORACE one at a time
  return unused;
}

static void one_round(long now) {
  helpers = calloc(4, sizeof *helpers);
  size = now; // NORACE the helper of the call before was joined
  pthread_create(helpers, NULL, count_round, NULL);
  pthread_join(*helpers, NULL);
  free(helpers);
}

int main(int argc, char **argv) {
  struct owner owner = {calloc(1, sizeof(struct pool)), "pool"};
  owner.pool->count = 2;
  owner.pool->threads = calloc(2, sizeof(pthread_t));
  no_threads = argc > 3;
  for (int i = 1; i < argc; ++i) {
    pthread_t printer;
    size = (long)(argv[i][0]); // NORACE those of the round before were joined
    if (!no_threads) {
      start(&owner);
      pthread_create(&printer, NULL, print, NULL);
      printf("%ld\n", progress); // RACE told
    }
    if (!no_threads) pthread_join(printer, NULL);
    if (!no_threads) stop(&owner);
    done = 0; // NORACE
    one_round(i);
  }
  return 0;
}
