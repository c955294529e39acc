// SHOWN
// Plug-ins in a table of function pointers, called with the registry's lock held by wrappers of the program's own.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct mutex {
  pthread_mutex_t raw;
  const char *holder;
  unsigned taken;
};

static void mutex_init(struct mutex *m) {
  pthread_mutex_init(&m->raw, NULL);
  m->holder = NULL;
  m->taken = 0;
}

static void mutex_lock_at(struct mutex *m, const char *where) {
  int rc = pthread_mutex_lock(&m->raw);
  assert(rc == 0);
  (void)rc;
  m->holder = where; // NORACE the lock is held
  m->taken++;        // NORACE the lock is held
}

static void mutex_unlock(struct mutex *m) {
  m->holder = NULL; // NORACE the lock is held
  pthread_mutex_unlock(&m->raw);
}

#define LOCK(m) mutex_lock_at(m, __func__)

struct plugin;

struct plugin_ops {
  const char *name;
  void (*handle)(struct plugin *, int);
  int (*report)(struct plugin *);
};

struct plugin {
  const struct plugin_ops *ops;
  struct plugin *next;
  union {
    struct {
      int count;
    } counter;
    struct {
      int min, max;
    } range;
  } u;
};

static struct mutex registry_lock;
static struct plugin *registry;

static void counter_handle(struct plugin *p, int event) {
  if (event) p->u.counter.count++; // NORACE the registry is locked
}

static int counter_report(struct plugin *p) { return p->u.counter.count; }

static void range_handle(struct plugin *p, int event) {
  if (event < p->u.range.min) p->u.range.min = event; // NORACE the registry is locked
  if (event > p->u.range.max) p->u.range.max = event; // NORACE the registry is locked
}

static int range_report(struct plugin *p) { return p->u.range.max - p->u.range.min; }

static const struct plugin_ops all_ops[] = {
    {"counter", counter_handle, counter_report},
    {"range", range_handle, range_report},
};

static void registry_add(const char *name) {
  for (size_t i = 0; i < sizeof all_ops / sizeof *all_ops; i++) {
    if (strcmp(all_ops[i].name, name)) continue;
    struct plugin *p = calloc(1, sizeof *p);
    if (!p) abort();
    p->ops = &all_ops[i];
    LOCK(&registry_lock);
    p->next = registry;
    registry = p;
    mutex_unlock(&registry_lock);
  }
}

static void registry_dispatch(int event) {
  LOCK(&registry_lock);
  for (struct plugin *p = registry; p; p = p->next) p->ops->handle(p, event);
  mutex_unlock(&registry_lock);
}

static int registry_report(void) {
  int sum = 0;
  LOCK(&registry_lock);
  for (struct plugin *p = registry; p; p = p->next) sum += p->ops->report(p);
  mutex_unlock(&registry_lock);
  return sum;
}

static void *source(void *arg) {
  int scale = *(int *)arg;
  for (int i = 0; i < 50; i++) registry_dispatch(i * scale);
  return NULL;
}

static void *loader(void *unused) {
  registry_add("counter");
  registry_add("range");
  registry_report();
  return unused;
}

int main(void) {
  pthread_t threads[3];
  int scales[2] = {1, -2};
  mutex_init(&registry_lock);
  registry_add("range");
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, source, &scales[i]);
  pthread_create(&threads[2], NULL, loader, NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  printf("%d\n", registry_report());
  return 0;
}
