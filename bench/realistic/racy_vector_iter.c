// SHOWN
// Subscribers in a growing array: registered under the lock, notified without.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

typedef void (*listener_fn)(void *context, int event);

struct listener {
  listener_fn fn;
  void *context;
};

struct bus {
  pthread_mutex_t lock;
  struct listener *list;
  size_t len, cap;
};

static struct bus bus = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int bus_subscribe(struct bus *b, listener_fn fn, void *context) {
  int rc = -1;
  pthread_mutex_lock(&b->lock);
  if (b->len == b->cap) {
    size_t cap = b->cap ? 2 * b->cap : 2;
    struct listener *grown = realloc(b->list, cap * sizeof *grown);
    if (!grown) goto out;
    b->list = grown; // RACE list
    b->cap = cap;
  }
  b->list[b->len].fn = fn;           // RACE fn
  b->list[b->len].context = context; // RACE context
  b->len++;                          // RACE len
  rc = 0;
out:
  pthread_mutex_unlock(&b->lock);
  return rc;
}

static void bus_publish(struct bus *b, int event) {
  size_t n = b->len; // RACE len
  for (size_t i = 0; i < n; i++) {
    struct listener *l = &b->list[i]; // RACE list
    void *context = l->context;       // RACE context
    l->fn(context, event);            // RACE fn
  }
}

struct tally {
  int events;
  long sum;
};

static void on_event(void *context, int event) {
  struct tally *t = context;
  t->events++;     // NORACE only the publisher calls it
  t->sum += event; // NORACE only the publisher calls it
}

static struct tally tallies[20];

static void *publisher(void *unused) {
  for (int i = 0; i < 200; i++) bus_publish(&bus, i);
  return unused;
}

int main(void) {
  pthread_t thread;
  bus_subscribe(&bus, on_event, &tallies[0]);
  pthread_create(&thread, NULL, publisher, NULL);
  for (int i = 1; i < 20; i++) bus_subscribe(&bus, on_event, &tallies[i]);
  pthread_join(thread, NULL);
  long sum = 0;
  for (int i = 0; i < 20; i++) sum += tallies[i].sum;
  printf("%ld\n", sum);
  free(bus.list);
  return 0;
}
