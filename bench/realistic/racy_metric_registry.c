// VERBS check run confirm
// SHOWN
// A registry of named counters in an array that grows: registration is locked, the fast lookup by handle is not.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct metric {
  char *name;
  long *cell;
};

struct registry {
  pthread_mutex_t lock;
  struct metric *items;
  size_t count, capacity;
};

static struct registry registry = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int grow(struct registry *r) {
  size_t capacity = r->capacity ? r->capacity * 2 : 4;
  struct metric *items = realloc(r->items, capacity * sizeof *items);
  if (!items) return -1;
  r->items = items; // RACE items
  r->capacity = capacity;
  return 0;
}

static int metric_register(const char *name) {
  int handle = -1;
  pthread_mutex_lock(&registry.lock);
  for (size_t i = 0; i < registry.count; i++)
    if (!strcmp(registry.items[i].name, name)) {
      handle = (int)i;
      goto done;
    }
  if (registry.count == registry.capacity && grow(&registry)) goto done;
  handle = (int)registry.count;
  registry.items[handle].name = strdup(name);
  registry.items[handle].cell = calloc(1, sizeof(long));
  registry.count++;
done:
  pthread_mutex_unlock(&registry.lock);
  return handle;
}

static void metric_add(int handle, long value) {
  struct metric *m = registry.items + handle; // RACE items
  pthread_mutex_lock(&registry.lock);
  if ((size_t)handle < registry.count && m) *registry.items[handle].cell += value;
  pthread_mutex_unlock(&registry.lock);
}

static void *module(void *arg) {
  const char *prefix = arg;
  char name[48];
  for (int i = 0; i < 12; i++) {
    snprintf(name, sizeof name, "%s.latency.%d", prefix, i);
    int handle = metric_register(name);
    if (handle < 0) continue;
    for (int k = 0; k < 5; k++) metric_add(handle, k);
  }
  return NULL;
}

int main(void) {
  static char *prefixes[] = {"http", "db", "cache"};
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, module, prefixes[i]);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  long total = 0;
  for (size_t i = 0; i < registry.count; i++) {
    total += *registry.items[i].cell;
    free(registry.items[i].name);
    free(registry.items[i].cell);
  }
  free(registry.items);
  printf("%zu metrics, total %ld\n", registry.count, total);
  return total != 3 * 12 * 10;
}
