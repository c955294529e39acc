// SHOWN
// A spin lock of the program's own with a scope guard by the cleanup attribute; an LRU list under it.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct spin {
  atomic_flag flag;
};

static void spin_lock(struct spin *s) {
  while (atomic_flag_test_and_set_explicit(&s->flag, memory_order_acquire)) sched_yield();
}

static void spin_unlock(struct spin *s) { atomic_flag_clear_explicit(&s->flag, memory_order_release); }

static void spin_leave(struct spin **s) { spin_unlock(*s); }

#define SPIN_GUARD(lock)                                                                                               \
  struct spin *guard_ __attribute__((cleanup(spin_leave), unused)) = (lock);                                           \
  spin_lock(guard_)

struct item {
  struct item *prev, *next;
  int key;
  char value[20];
};

struct lru {
  struct spin lock;
  struct item head;
  int len, max;
  unsigned hits, misses;
};

static struct lru lru = {.lock = {ATOMIC_FLAG_INIT}, .max = 8};

static void unlink_item(struct item *i) {
  i->prev->next = i->next;
  i->next->prev = i->prev;
}

static void push_front(struct lru *l, struct item *i) {
  i->next = l->head.next;
  i->prev = &l->head;
  l->head.next->prev = i;
  l->head.next = i;
}

static struct item *find(struct lru *l, int key) {
  for (struct item *i = l->head.next; i != &l->head; i = i->next)
    if (i->key == key) return i;
  return NULL;
}

static int lru_get(struct lru *l, int key, char *out, size_t size) {
  SPIN_GUARD(&l->lock);
  struct item *i = find(l, key);
  if (!i) {
    l->misses++;
    return -1;
  }
  l->hits++;
  unlink_item(i);
  push_front(l, i);
  strncpy(out, i->value, size);
  return 0;
}

static void lru_put(struct lru *l, int key, const char *value) {
  SPIN_GUARD(&l->lock);
  struct item *i = find(l, key);
  if (!i) {
    if (l->len == l->max) {
      i = l->head.prev;
      unlink_item(i);
    } else {
      i = malloc(sizeof *i);
      if (!i) return;
      l->len++;
    }
    i->key = key;
    push_front(l, i);
  }
  snprintf(i->value, sizeof i->value, "%s", value);
}

static void *user(void *arg) {
  unsigned seed = *(unsigned *)arg;
  char value[20];
  for (int i = 0; i < 100; i++) {
    int key = (int)(rand_r(&seed) % 12);
    if (lru_get(&lru, key, value, sizeof value) == 0) continue;
    snprintf(value, sizeof value, "value %d", key);
    lru_put(&lru, key, value);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  unsigned seeds[2] = {3, 5};
  lru.head.prev = lru.head.next = &lru.head;
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, user, &seeds[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  printf("%u hits %u misses\n", lru.hits, lru.misses);
  return 0;
}
