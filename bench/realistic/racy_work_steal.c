// SHOWN
// Work stealing: owners pop with the lock; the thief peeks at the victim's length without it to choose whom to rob.
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define WORKERS 3
#define CAP 64

struct deque {
  pthread_mutex_t lock;
  int items[CAP];
  int top, bottom;
};

struct worker {
  pthread_t thread;
  int id;
  long done;
  struct deque deque;
};

static struct worker workers[WORKERS];

static void deque_push(struct deque *d, int item) {
  pthread_mutex_lock(&d->lock);
  if (d->bottom < CAP) d->items[d->bottom++] = item;
  pthread_mutex_unlock(&d->lock);
}

static bool deque_pop(struct deque *d, int *item) {
  bool ok = false;
  pthread_mutex_lock(&d->lock);
  if (d->bottom > d->top) {
    *item = d->items[--d->bottom]; // RACE bottom
    ok = true;
  }
  pthread_mutex_unlock(&d->lock);
  return ok;
}

static bool deque_steal(struct deque *d, int *item) {
  bool ok = false;
  pthread_mutex_lock(&d->lock);
  if (d->bottom > d->top) {
    *item = d->items[d->top++]; // RACE top
    ok = true;
  }
  pthread_mutex_unlock(&d->lock);
  return ok;
}

static struct worker *richest(int self) {
  struct worker *best = NULL;
  int most = 0;
  for (int i = 0; i < WORKERS; i++) {
    if (i == self) continue;
    int len = workers[i].deque.bottom - workers[i].deque.top; // RACE bottom top
    if (len > most) {
      most = len;
      best = &workers[i];
    }
  }
  return best;
}

static void *run(void *arg) {
  struct worker *w = arg;
  int item;
  for (;;) {
    if (deque_pop(&w->deque, &item)) {
      w->done += item;
      continue;
    }
    struct worker *victim = richest(w->id);
    if (!victim) break;
    if (deque_steal(&victim->deque, &item)) w->done += item;
  }
  return NULL;
}

int main(void) {
  for (int i = 0; i < WORKERS; i++) {
    workers[i].id = i;
    pthread_mutex_init(&workers[i].deque.lock, NULL);
    for (int k = 0; k < 20 * (i + 1); k++) deque_push(&workers[i].deque, k);
  }
  for (int i = 0; i < WORKERS; i++) pthread_create(&workers[i].thread, NULL, run, &workers[i]);
  long sum = 0;
  for (int i = 0; i < WORKERS; i++) {
    pthread_join(workers[i].thread, NULL);
    sum += workers[i].done;
  }
  printf("%ld\n", sum);
  return 0;
}
