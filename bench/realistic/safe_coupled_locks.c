// VERBS check run
// SHOWN
// A sorted list with a lock per node, walked hand over hand; detached workers are awaited by a count under a condition.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
  pthread_mutex_t lock;
  struct node *next;
  int key;
  int hits;
};

struct list {
  struct node head; // sentinel
};

static struct list list;
static pthread_mutex_t done_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t done_cond = PTHREAD_COND_INITIALIZER;
static int running;

static struct node *node_new(int key) {
  struct node *n = calloc(1, sizeof *n);
  if (!n) abort();
  pthread_mutex_init(&n->lock, NULL);
  n->key = key;
  return n;
}

static void list_touch(struct list *l, int key) {
  struct node *prev = &l->head;
  pthread_mutex_lock(&prev->lock);
  struct node *cur = prev->next;
  while (cur) {
    pthread_mutex_lock(&cur->lock);
    if (cur->key >= key) break;
    pthread_mutex_unlock(&prev->lock);
    prev = cur;
    cur = cur->next; // NORACE
  }
  if (cur && cur->key == key) {
    cur->hits++; // NORACE
  } else {
    struct node *n = node_new(key);
    n->next = cur;
    n->hits = 1;
    prev->next = n; // NORACE
  }
  if (cur) pthread_mutex_unlock(&cur->lock);
  pthread_mutex_unlock(&prev->lock);
}

static void *worker(void *arg) {
  unsigned seed = (unsigned)(long)arg;
  for (int i = 0; i < 50; i++) list_touch(&list, rand_r(&seed) % 20);
  pthread_mutex_lock(&done_lock);
  if (--running == 0) pthread_cond_signal(&done_cond);
  pthread_mutex_unlock(&done_lock);
  return NULL;
}

int main(void) {
  pthread_attr_t attr;
  pthread_t t;
  pthread_mutex_init(&list.head.lock, NULL);
  pthread_attr_init(&attr);
  pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
  running = 3;
  for (long i = 0; i < 3; i++) pthread_create(&t, &attr, worker, (void *)(i + 1));
  pthread_mutex_lock(&done_lock);
  while (running) pthread_cond_wait(&done_cond, &done_lock);
  pthread_mutex_unlock(&done_lock);
  int hits = 0;
  for (struct node *n = list.head.next, *next; n; n = next) {
    next = n->next;
    hits += n->hits; // NORACE
    free(n);
  }
  printf("%d\n", hits);
  return hits != 150;
}
