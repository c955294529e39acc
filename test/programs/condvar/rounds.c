// VERBS check
// FLAGS -O2
// In each round main makes a context, counts the jobs that it gives to a pool, and waits until all are counted off before it takes it apart and
// makes the next one. What it does in between races, and so does what a job does when it is counted off.
#include <pthread.h>
#include <stdlib.h>

static int between, after;

struct best {
  pthread_mutex_t lock;
  pthread_cond_t done;
  int live;
  int size;
};
struct context { int *values; int count; };
struct job { struct context *context; struct best *best; };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static void (*queue[16])(void *);
static void *given[16];
static int head, tail, stop;

static void *worker(void *argument) {
  for (;;) {
    pthread_mutex_lock(&lock);
    while (head == tail) {
      if (stop) { pthread_mutex_unlock(&lock); return argument; }
      pthread_cond_wait(&filled, &lock);
    }
    void (*function)(void *) = queue[head % 16];
    void *data = given[head++ % 16];
    pthread_mutex_unlock(&lock);
    function(data);
  }
}

__attribute__((noinline)) static void add(void (*function)(void *), void *data) {
  pthread_mutex_lock(&lock);
  queue[tail % 16] = function;
  given[tail++ % 16] = data;
  pthread_cond_signal(&filled);
  pthread_mutex_unlock(&lock);
}

__attribute__((noinline)) static void start(struct best *best) {
  if (!best) return;
  pthread_mutex_lock(&best->lock);
  ++best->live;
  pthread_mutex_unlock(&best->lock);
}
__attribute__((noinline)) static void finish(struct best *best, int size) {
  if (!best) return;
  pthread_mutex_lock(&best->lock);
  --best->live;
  if (size > best->size) best->size = size;
  if (best->live == 0) pthread_cond_broadcast(&best->done);
  pthread_mutex_unlock(&best->lock);
}
__attribute__((noinline)) static void waitForAll(struct best *best) {
  if (!best) return;
  pthread_mutex_lock(&best->lock);
  while (best->live != 0) pthread_cond_wait(&best->done, &best->lock);
  pthread_mutex_unlock(&best->lock);
}

__attribute__((noinline)) static void try(void *argument) {
  struct job *job = argument;
  struct context *context = job->context;
  int sum = 0;
  for (int i = 0; i < context->count; ++i) sum += context->values[i]; // NORACE
  sum += between; // RACE between
  finish(job->best, sum);
  ++after; // RACE after SELF // RACE late
  free(job);
}

__attribute__((noinline)) static int make(struct context *context, int count) {
  context->count = count; // NORACE
  context->values = malloc(count * sizeof(int)); // NORACE
  if (!context->values) return -1;
  for (int i = 0; i < count; ++i) context->values[i] = i; // NORACE
  return 0;
}

__attribute__((noinline)) static void takeApart(struct context *context) {
  free(context->values);
  context->values = NULL; // NORACE
}

__attribute__((noinline)) static struct job *allocate(int *size) {
  *size += (int)sizeof(struct job);
  return malloc(sizeof(struct job));
}

int main(int argc, char **argv) {
  struct best best;
  pthread_mutex_init(&best.lock, NULL);
  pthread_cond_init(&best.done, NULL);
  best.live = 0;
  best.size = 0;
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, worker, NULL);
  for (int round = 0; round < argc; ++round) {
    struct context context;
    if (make(&context, round)) return 1;
    for (int i = 0; i < 4; ++i) {
      int size = i;
      struct job *job = allocate(&size);
      if (!job) {
        waitForAll(&best);
        takeApart(&context);
        return 1;
      }
      if (size == 3) {
        free(job);
        continue;
      }
      job->context = &context;
      job->best = &best;
      start(&best);
      if (argc > 1) add(try, job);
      else try(job);
      between = i; // RACE between
    }
    waitForAll(&best);
    if (after > 9) break; // RACE late
    takeApart(&context);
  }
  pthread_mutex_lock(&lock);
  stop = 1;
  pthread_cond_broadcast(&filled);
  pthread_mutex_unlock(&lock);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return best.size;
}
