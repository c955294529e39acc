// Work goes through a queue that a mutex guards: what it holds is not raced for, whether the worker had to wait or not.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct job {
  struct job *next;
  int cost;
};

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static struct job *queue;
static int closed;
static int spent;

static void *work(void *unused) {
  pthread_mutex_lock(&gate);
  while (queue || !closed) {
    if (!queue) {
      pthread_cond_wait(&filled, &gate);
      continue;
    }
    struct job *taken = queue;
    queue = taken->next; // NORACE
    pthread_mutex_unlock(&gate);
    spent += taken->cost; // NORACE written before it was queued
    free(taken);
    pthread_mutex_lock(&gate);
  }
  pthread_mutex_unlock(&gate);
  return unused;
}

int main(void) {
  pthread_t worker;
  pthread_create(&worker, NULL, work, NULL);
  for (int i = 1; i <= 20; ++i) {
    struct job *made = malloc(sizeof *made);
    made->cost = i; // NORACE
    pthread_mutex_lock(&gate);
    made->next = queue;
    queue = made;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&gate);
  }
  pthread_mutex_lock(&gate);
  closed = 1;
  pthread_cond_signal(&filled);
  pthread_mutex_unlock(&gate);
  pthread_join(worker, NULL);
  printf("%d\n", spent);
  return 0;
}
