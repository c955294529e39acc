// VERBS check confirm
// Workers that take tasks out of a list round after round, inline: a task is one worker's from then on, until it is put
// into the list of results. A task that is only looked at is not.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct task {
  struct task *next;
  int in, out, looks;
};

struct queue {
  pthread_mutex_t lock;
  pthread_cond_t filled;
  struct task *first;
  int closed;
};

static struct queue queue = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, 0};
static struct task *done;
static struct task *sample;
static int ended;

static void *work(void *given) {
  struct queue *from = given;
  for (;;) {
    pthread_mutex_lock(&from->lock);
    while (!from->first && !from->closed) pthread_cond_wait(&from->filled, &from->lock);
    struct task *task = from->first;
    if (!task) break;
    from->first = task->next;
    pthread_mutex_unlock(&from->lock);
    task->out = task->in * 2; // NORACE
    pthread_mutex_lock(&from->lock);
    task->next = done;
    done = task;
    struct task *seen = sample;
    pthread_mutex_unlock(&from->lock);
    seen->looks += 1; // RACE looks SELF
  }
  pthread_mutex_unlock(&from->lock);
  ended += 1; // RACE ended SELF
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  sample = calloc(1, sizeof *sample);
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, work, &queue);
  for (int i = 0; i < 60; ++i) {
    struct task *task = calloc(1, sizeof *task);
    task->in = i; // NORACE
    pthread_mutex_lock(&queue.lock);
    task->next = queue.first;
    queue.first = task;
    pthread_cond_signal(&queue.filled);
    pthread_mutex_unlock(&queue.lock);
  }
  pthread_mutex_lock(&queue.lock);
  queue.closed = 1;
  pthread_cond_broadcast(&queue.filled);
  pthread_mutex_unlock(&queue.lock);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  long sum = sample->looks + ended;
  for (struct task *task = done; task; task = task->next) sum += task->out; // NORACE
  printf("%ld\n", sum);
  return 0;
}
