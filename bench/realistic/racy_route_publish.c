// SHOWN
// A routing table is replaced copy-on-write through an atomic pointer, but the updater stamps the version number after publishing.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define NROUTES 8
#define NUPDATES 40
#define NREADERS 2

struct routes {
  struct routes *older; /* retired tables, kept until exit */
  unsigned version;
  unsigned char hop[NROUTES];
};

static struct routes boot = {.version = 1};
static _Atomic(struct routes *) current = &boot;
static atomic_bool stopping;

static struct routes *routes_clone(struct routes *from) {
  struct routes *n = malloc(sizeof *n);

  if (!n) abort();
  *n = *from;
  n->older = from;
  n->version = 0;
  return n;
}

static void *updater(void *arg) {
  unsigned version = 1;

  (void)arg;
  for (int i = 0; i < NUPDATES; i++) {
    struct routes *n = routes_clone(atomic_load(&current));

    n->hop[i % NROUTES] = (unsigned char)(i + 1);
    atomic_store_explicit(&current, n, memory_order_release);
    n->version = ++version; // RACE version
    usleep(100);
  }
  atomic_store(&stopping, 1);
  return NULL;
}

struct reader {
  pthread_t tid;
  unsigned newest;
  unsigned long hops;
};

static void *forward(void *arg) {
  struct reader *rd = arg;

  while (!atomic_load_explicit(&stopping, memory_order_relaxed)) {
    const struct routes *r = atomic_load_explicit(&current, memory_order_acquire);
    unsigned v = r->version; // RACE version

    if (v > rd->newest) rd->newest = v;
    for (int i = 0; i < NROUTES; i++) rd->hops += r->hop[i]; // NORACE
  }
  return NULL;
}

int main(void) {
  struct reader rd[NREADERS] = {0};
  struct routes *r;
  pthread_t up;

  for (int i = 0; i < NREADERS; i++) pthread_create(&rd[i].tid, NULL, forward, &rd[i]);
  pthread_create(&up, NULL, updater, NULL);
  pthread_join(up, NULL);
  for (int i = 0; i < NREADERS; i++) {
    pthread_join(rd[i].tid, NULL);
    printf("reader %d saw version %u\n", i, rd[i].newest);
  }
  for (r = atomic_load(&current); r != &boot;) {
    struct routes *older = r->older;

    free(r);
    r = older;
  }
  return 0;
}
