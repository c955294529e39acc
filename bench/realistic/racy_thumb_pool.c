// SHOWN
// Thumbnail workers peek at the head of the job stack without the lock to spare themselves an idle lock, and only then take it.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define NWORKERS 2
#define NJOBS 200

struct job {
  struct job *next;
  unsigned width, height;
};

struct stack {
  pthread_mutex_t lock;
  struct job *top;
  unsigned long pushed; /* guarded by lock */
};

static struct stack todo = {.lock = PTHREAD_MUTEX_INITIALIZER};
static atomic_ulong pixels;
static atomic_uint finished;

static void push(struct stack *s, struct job *j) {
  pthread_mutex_lock(&s->lock);
  j->next = s->top;
  s->top = j; // RACE push
  s->pushed++;
  pthread_mutex_unlock(&s->lock);
}

static struct job *pop(struct stack *s) {
  struct job *j;

  if (s->top == NULL) // RACE push // RACE pop
    return NULL;
  pthread_mutex_lock(&s->lock);
  j = s->top;
  if (j) s->top = j->next; // RACE pop
  pthread_mutex_unlock(&s->lock);
  return j;
}

static void *worker(void *arg) {
  struct stack *s = arg;

  while (atomic_load(&finished) < NJOBS) {
    struct job *j = pop(s);

    if (!j) {
      usleep(100);
      continue;
    }
    atomic_fetch_add(&pixels, (unsigned long)j->width * j->height);
    free(j);
    atomic_fetch_add(&finished, 1);
  }
  return NULL;
}

int main(void) {
  pthread_t w[NWORKERS];

  for (int i = 0; i < NWORKERS; i++) pthread_create(&w[i], NULL, worker, &todo);
  for (unsigned i = 0; i < NJOBS; i++) {
    struct job *j = malloc(sizeof *j);

    if (!j) abort();
    j->width = 16 + i % 32;
    j->height = 16 + i % 24;
    push(&todo, j);
  }
  for (int i = 0; i < NWORKERS; i++) pthread_join(w[i], NULL);
  printf("%lu pixels of %lu jobs\n", atomic_load(&pixels), todo.pushed);
  return 0;
}
