// SHOWN
// Consumers are cancelled inside a condition wait; the wait takes the mutex again before the cleanup handler runs, so its plain decrement is locked.
#include <pthread.h>
#include <stdio.h>

#define NCONSUMERS 4
#define NITEMS 40

struct box {
  pthread_mutex_t lock;
  pthread_cond_t filled;
  pthread_cond_t emptied;
  int items;
  int waiting;
  int taken;
  int cancelled;
};

static struct box box = {
    .lock = PTHREAD_MUTEX_INITIALIZER, .filled = PTHREAD_COND_INITIALIZER, .emptied = PTHREAD_COND_INITIALIZER};

static void abandon_wait(void *arg) {
  struct box *b = arg;

  b->waiting--;   // NORACE
  b->cancelled++; // NORACE
  pthread_mutex_unlock(&b->lock);
}

static void box_take(struct box *b) {
  pthread_mutex_lock(&b->lock);
  b->waiting++;
  pthread_cleanup_push(abandon_wait, b);
  while (b->items == 0) pthread_cond_wait(&b->filled, &b->lock);
  pthread_cleanup_pop(0);
  b->waiting--;
  b->items--;
  b->taken++;
  if (b->items == 0) pthread_cond_signal(&b->emptied);
  pthread_mutex_unlock(&b->lock);
}

static void *consumer(void *arg) {
  for (;;) box_take(arg);
  return NULL;
}

static void box_fill(struct box *b, int n) {
  pthread_mutex_lock(&b->lock);
  b->items += n;
  pthread_cond_broadcast(&b->filled);
  while (b->items > 0) pthread_cond_wait(&b->emptied, &b->lock);
  pthread_mutex_unlock(&b->lock);
}

int main(void) {
  pthread_t t[NCONSUMERS];

  for (int i = 0; i < NCONSUMERS; i++) pthread_create(&t[i], NULL, consumer, &box);
  for (int i = 0; i < NITEMS; i += 8) box_fill(&box, 8);
  for (int i = 0; i < NCONSUMERS; i++) pthread_cancel(t[i]);
  for (int i = 0; i < NCONSUMERS; i++) pthread_join(t[i], NULL);
  printf("taken %d, cancelled %d, still waiting %d\n", box.taken, box.cancelled, box.waiting); // NORACE
  return 0;
}
