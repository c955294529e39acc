// VERBS check run confirm
// SHOWN
// A routing table under a reader/writer lock: a lookup holds it for reading, but counts its hit in the route.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct route {
  struct route *next;
  uint32_t prefix, mask;
  int metric;
  unsigned long hits;
};

struct fib {
  pthread_rwlock_t lock;
  struct route *routes;
  unsigned generation;
};

static int fib_add(struct fib *f, uint32_t prefix, uint32_t mask, int metric) {
  struct route *r = malloc(sizeof *r);
  if (!r) return -1;
  *r = (struct route){.prefix = prefix, .mask = mask, .metric = metric};
  pthread_rwlock_wrlock(&f->lock);
  struct route **p = &f->routes;
  while (*p && (*p)->mask > mask) p = &(*p)->next;
  r->next = *p;
  *p = r;
  f->generation++;
  pthread_rwlock_unlock(&f->lock);
  return 0;
}

static int fib_lookup(struct fib *f, uint32_t address) {
  int metric = -1;
  pthread_rwlock_rdlock(&f->lock);
  for (const struct route *r = f->routes; r; r = r->next)
    if ((address & r->mask) == r->prefix) {
      ((struct route *)r)->hits++; // RACE hits SELF
      metric = r->metric;
      break;
    }
  pthread_rwlock_unlock(&f->lock);
  return metric;
}

static void *forward(void *arg) {
  struct fib *f = arg;
  long sum = 0;
  for (uint32_t i = 0; i < 100; i++) sum += fib_lookup(f, 0x0a000000u + i * 251);
  return (void *)sum;
}

static void *control(void *arg) {
  struct fib *f = arg;
  for (uint32_t i = 1; i < 8; i++) fib_add(f, 0x0a000000u | i << 8, 0xffffff00u, (int)i);
  return NULL;
}

int main(void) {
  struct fib fib = {.routes = NULL};
  pthread_t threads[3], updater;
  pthread_rwlock_init(&fib.lock, NULL);
  fib_add(&fib, 0x0a000000u, 0xff000000u, 10);
  fib_add(&fib, 0, 0, 100);
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, forward, &fib);
  pthread_create(&updater, NULL, control, &fib);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  pthread_join(updater, NULL);
  unsigned long hits = 0;
  for (struct route *r = fib.routes, *next; r; r = next) {
    next = r->next;
    hits += r->hits;
    free(r);
  }
  pthread_rwlock_destroy(&fib.lock);
  printf("generation %u, %lu hits\n", fib.generation, hits);
  return 0;
}
