// SHOWN
// Two queues, each with a lock; moving jobs between them takes only the lock of the source.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct job {
  struct job *next;
  int priority;
};

struct list {
  pthread_mutex_t lock;
  struct job *head;
  int len;
};

static struct list ready = {.lock = PTHREAD_MUTEX_INITIALIZER};
static struct list waiting = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void add_ready(struct job *j) {
  pthread_mutex_lock(&ready.lock);
  j->next = ready.head; // RACE readhead
  ready.head = j;       // RACE addhead // RACE writehead
  ready.len++;          // RACE addlen
  pthread_mutex_unlock(&ready.lock);
}

static void add_waiting(struct job *j) {
  pthread_mutex_lock(&waiting.lock);
  j->next = waiting.head;
  waiting.head = j;
  waiting.len++;
  pthread_mutex_unlock(&waiting.lock);
}

static void promote(int limit) {
  pthread_mutex_lock(&waiting.lock);
  while (waiting.head && limit-- > 0) {
    struct job *j = waiting.head;
    waiting.head = j->next;
    waiting.len--;
    j->next = NULL;
    if (ready.len < 100) ready.len++; // RACE addlen
    j->next = ready.head;             // RACE addhead
    ready.head = j;                   // RACE readhead writehead
  }
  pthread_mutex_unlock(&waiting.lock);
}

static void *submitter(void *unused) {
  for (int i = 0; i < 50; i++) {
    struct job *j = calloc(1, sizeof *j);
    if (!j) abort();
    j->priority = i;
    if (i % 3)
      add_waiting(j);
    else
      add_ready(j);
  }
  return unused;
}

static void *scheduler(void *unused) {
  for (int i = 0; i < 20; i++) promote(3);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, submitter, NULL);
  pthread_create(&b, NULL, scheduler, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("%d ready %d waiting\n", ready.len, waiting.len);
  return 0;
}
