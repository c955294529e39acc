// SHOWN
// A route table behind a reader/writer lock: lookups, under the read lock, count hits and move the cursor.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct route {
  uint32_t prefix, mask;
  int port;
  unsigned long hits;
};

struct routes {
  pthread_rwlock_t lock;
  struct route *list;
  size_t used, room;
};

static int routes_add(struct routes *r, uint32_t prefix, uint32_t mask, int port) {
  int rc = -1;
  pthread_rwlock_wrlock(&r->lock);
  if (r->used == r->room) {
    size_t room = r->room ? r->room * 2 : 4;
    struct route *list = realloc(r->list, room * sizeof *list);
    if (!list) goto out;
    r->list = list;
    r->room = room;
  }
  r->list[r->used++] = (struct route){prefix, mask, port, 0};
  rc = 0;
out:
  pthread_rwlock_unlock(&r->lock);
  return rc;
}

static int routes_lookup(struct routes *r, uint32_t addr) {
  int port = -1;
  pthread_rwlock_rdlock(&r->lock);
  for (size_t i = 0; i < r->used; i++) {
    struct route *e = &r->list[i];
    if ((addr & e->mask) == e->prefix) {
      e->hits++; // RACE hits SELF
      port = e->port;
      break;
    }
  }
  pthread_rwlock_unlock(&r->lock);
  return port;
}

static unsigned long routes_hits(struct routes *r) {
  unsigned long sum = 0;
  pthread_rwlock_wrlock(&r->lock);
  for (size_t i = 0; i < r->used; i++) {
    sum += r->list[i].hits; // NORACE the write lock excludes the readers
    r->list[i].hits = 0;
  }
  pthread_rwlock_unlock(&r->lock);
  return sum;
}

static struct routes routes = {.lock = PTHREAD_RWLOCK_INITIALIZER};

static void *forward(void *arg) {
  uint32_t addr = (uint32_t)(uintptr_t)arg;
  unsigned long dropped = 0;
  for (int i = 0; i < 200; i++) {
    if (routes_lookup(&routes, addr + (uint32_t)i * 65536) < 0) dropped++;
  }
  return (void *)dropped;
}

static void *control(void *arg) {
  for (uint32_t i = 0; i < 16; i++) routes_add(&routes, (10u << 24) | (i << 16), 0xffff0000u, (int)i);
  *(unsigned long *)arg = routes_hits(&routes);
  return NULL;
}

int main(void) {
  pthread_t workers[3], ctl;
  unsigned long hits;
  routes_add(&routes, 10u << 24, 0xff000000u, 99);
  pthread_create(&ctl, NULL, control, &hits);
  for (int i = 0; i < 3; i++) pthread_create(&workers[i], NULL, forward, (void *)(uintptr_t)(10u << 24));
  unsigned long dropped = 0;
  for (int i = 0; i < 3; i++) {
    void *result;
    pthread_join(workers[i], &result);
    dropped += (unsigned long)result;
  }
  pthread_join(ctl, NULL);
  printf("%lu hits, %lu dropped\n", hits + routes_hits(&routes), dropped);
  free(routes.list);
  return 0;
}
