// SHOWN
// A sorted price ladder locks hand over hand: every node's `next` is guarded by the node's own spinlock, so no two operations share one lock.
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define NTRADERS 3
#define NOPS 150

struct level {
  pthread_spinlock_t lock; /* guards next and volume */
  struct level *next;
  int price; /* never changes */
  long volume;
};

static struct level *ladder;

static struct level *level_new(int price, struct level *next) {
  struct level *l = malloc(sizeof *l);

  if (!l) abort();
  pthread_spin_init(&l->lock, PTHREAD_PROCESS_PRIVATE);
  l->price = price;
  l->volume = 0;
  l->next = next;
  return l;
}

/* Returns with *before locked, and the level behind it too. */
static struct level *seek(struct level **before, int price) {
  struct level *prev = ladder, *cur;

  pthread_spin_lock(&prev->lock);
  cur = prev->next; // NORACE
  pthread_spin_lock(&cur->lock);
  while (cur->price < price) {
    pthread_spin_unlock(&prev->lock);
    prev = cur;
    cur = prev->next;
    pthread_spin_lock(&cur->lock);
  }
  *before = prev;
  return cur;
}

static void offer(int price, long volume) {
  struct level *prev, *cur = seek(&prev, price);

  if (cur->price == price) {
    cur->volume += volume; // NORACE
  } else {
    struct level *l = level_new(price, cur);

    l->volume = volume; // NORACE
    prev->next = l;     // NORACE
  }
  pthread_spin_unlock(&cur->lock);
  pthread_spin_unlock(&prev->lock);
}

static long take(int price) {
  struct level *prev, *cur = seek(&prev, price);
  long volume = 0;

  if (cur->price != price) {
    pthread_spin_unlock(&cur->lock);
    pthread_spin_unlock(&prev->lock);
    return 0;
  }
  volume = cur->volume;
  prev->next = cur->next; // NORACE
  pthread_spin_unlock(&cur->lock);
  pthread_spin_unlock(&prev->lock);
  pthread_spin_destroy(&cur->lock);
  free(cur); // NORACE
  return volume;
}

struct trader {
  pthread_t tid;
  unsigned seed;
  long offered, taken;
};

static void *trade(void *arg) {
  struct trader *t = arg;

  for (int i = 0; i < NOPS; i++) {
    t->seed = t->seed * 1103515245u + 12345u;
    if (t->seed >> 16 & 3) {
      offer((int)(t->seed >> 20) % 40, 10);
      t->offered += 10;
    } else {
      t->taken += take((int)(t->seed >> 20) % 40);
    }
  }
  return NULL;
}

int main(void) {
  struct trader t[NTRADERS] = {{.seed = 2}, {.seed = 71}, {.seed = 828}};
  long balance = 0;

  ladder = level_new(INT_MIN, level_new(INT_MAX, NULL));
  for (int i = 0; i < NTRADERS; i++) pthread_create(&t[i].tid, NULL, trade, &t[i]);
  for (int i = 0; i < NTRADERS; i++) {
    pthread_join(t[i].tid, NULL);
    balance += t[i].offered - t[i].taken;
  }
  while (ladder) {
    struct level *l = ladder;

    ladder = l->next;
    balance -= l->volume;
    free(l);
  }
  printf("balance %ld\n", balance);
  return balance != 0;
}
