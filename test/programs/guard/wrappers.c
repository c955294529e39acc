// VERBS check confirm
// Locks behind functions, in structs, through pointers; tried, timed and nested.
#include <pthread.h>
#include <stddef.h>

struct queue {
  int length;
  int peeks;
  pthread_mutex_t lock;
};

static struct queue queue = {.lock = PTHREAD_MUTEX_INITIALIZER};
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static int tried, wrong, passed;

static void queue_lock(struct queue *q) { pthread_mutex_lock(&q->lock); }
static void queue_unlock(struct queue *q) { pthread_mutex_unlock(&q->lock); }
static void locked_add(pthread_mutex_t *lock, int *sum) {
  pthread_mutex_lock(lock);
  *sum += 1; // NORACE
  pthread_mutex_unlock(lock);
}

static void *work(void *argument) {
  struct queue *q = argument;
  queue_lock(q);
  q->length += 1; // NORACE
  queue_unlock(q);
  q->peeks += 1; // RACE peeks SELF
  if (pthread_mutex_trylock(&gate) == 0) {
    tried += 1; // NORACE
    pthread_mutex_unlock(&gate);
  } else {
    wrong += 1; // RACE wrong SELF
  }
  locked_add(&gate, &passed);
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, work, &queue);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  return 0;
}
