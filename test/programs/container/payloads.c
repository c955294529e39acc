// VERBS check
// SHOWN
// A queue of nodes of its own that carry what was put in: who takes a node out has what it carries, also when the node is gone. Who only looks has not.
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

struct node {
  struct node *next;
  void *data;
};

struct queue {
  pthread_mutex_t lock;
  struct node *head, *tail;
};

struct job {
  int input, result, noted, seen, queued;
};

static struct queue queue = {PTHREAD_MUTEX_INITIALIZER, NULL, NULL};

static void push(struct queue *q, void *data) {
  struct node *n = malloc(sizeof *n);
  n->data = data;
  n->next = NULL;
  pthread_mutex_lock(&q->lock);
  if (q->tail)
    q->tail->next = n;
  else
    q->head = n;
  q->tail = n;
  pthread_mutex_unlock(&q->lock);
}

static void *pop(struct queue *q) {
  pthread_mutex_lock(&q->lock);
  struct node *n = q->head;
  if (n) {
    q->head = n->next;
    if (!q->head) q->tail = NULL;
  }
  pthread_mutex_unlock(&q->lock);
  if (!n) return NULL;
  void *data = n->data;
  free(n);
  return data;
}

static bool pop_into(struct queue *q, void **data) {
  pthread_mutex_lock(&q->lock);
  struct node *n = q->head;
  if (n) {
    q->head = n->next;
    if (!q->head) q->tail = NULL;
  }
  pthread_mutex_unlock(&q->lock);
  if (!n) return false;
  *data = n->data;
  free(n);
  return true;
}

static void *peek(struct queue *q) {
  pthread_mutex_lock(&q->lock);
  void *data = q->head ? q->head->data : NULL;
  pthread_mutex_unlock(&q->lock);
  return data;
}

static bool peek_into(struct queue *q, void **data) {
  pthread_mutex_lock(&q->lock);
  struct node *n = q->head;
  if (n) *data = n->data;
  pthread_mutex_unlock(&q->lock);
  return n != NULL;
}

static void *work(void *arg) {
  void *data;
  while ((data = pop(&queue))) {
    struct job *job = data;
    job->result = job->input * 2; // NORACE
    if (pop_into(&queue, &data)) {
      struct job *next = data;
      next->noted++; // NORACE
      free(next);
    }
    free(job);
  }
  return arg;
}

static void *watch(void *arg) {
  for (int i = 0; i < 10; i++) {
    struct job *first = peek(&queue);
    if (first) first->seen++; // RACE peeked SELF
    void *data;
    if (peek_into(&queue, &data)) ((struct job *)data)->queued++; // RACE queued SELF
  }
  return arg;
}

int main(void) {
  pthread_t threads[4];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 2; i < 4; i++) pthread_create(&threads[i], NULL, watch, NULL);
  for (int i = 0; i < 20; i++) {
    struct job *job = calloc(1, sizeof *job);
    job->input = i;
    push(&queue, job);
  }
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  return 0;
}
