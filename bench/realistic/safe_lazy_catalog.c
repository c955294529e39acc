// SHOWN
// Message catalogs are loaded on first use by double-checked locking over an array of atomic pointers; the catalogs themselves are plain memory.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum lang { EN, DE, FR, NLANGS };

struct catalog {
  char greeting[24];
  int entries;
  int plural_rule;
};

static const char *const greetings[NLANGS] = {"hello", "guten Tag", "bonjour"};
static _Atomic(struct catalog *) loaded[NLANGS];
static pthread_mutex_t load_lock = PTHREAD_MUTEX_INITIALIZER;
static int loads; /* guarded by load_lock */

static struct catalog *catalog_read(enum lang l) {
  struct catalog *c = malloc(sizeof *c);

  if (!c) return NULL;
  strcpy(c->greeting, greetings[l]); // NORACE
  c->entries = 10 + (int)l;
  c->plural_rule = l == FR; // NORACE
  return c;
}

static const struct catalog *catalog_for(enum lang l) {
  struct catalog *c = atomic_load_explicit(&loaded[l], memory_order_acquire);

  if (c) return c;
  pthread_mutex_lock(&load_lock);
  c = atomic_load_explicit(&loaded[l], memory_order_relaxed);
  if (c) goto out;
  c = catalog_read(l);
  if (!c) goto out;
  loads++;
  atomic_store_explicit(&loaded[l], c, memory_order_release);
out:
  pthread_mutex_unlock(&load_lock);
  return c;
}

struct client {
  pthread_t tid;
  enum lang first;
  unsigned letters;
};

static void *render(void *arg) {
  struct client *cl = arg;

  for (int i = 0; i < 60; i++) {
    const struct catalog *c = catalog_for((enum lang)(((int)cl->first + i) % NLANGS));

    if (!c) return NULL;
    cl->letters += (unsigned)strlen(c->greeting);           // NORACE
    cl->letters += (unsigned)(c->entries + c->plural_rule); // NORACE
  }
  return NULL;
}

int main(void) {
  struct client cl[4] = {{.first = EN}, {.first = FR}, {.first = DE}, {.first = EN}};

  for (int i = 0; i < 4; i++) pthread_create(&cl[i].tid, NULL, render, &cl[i]);
  for (int i = 0; i < 4; i++) {
    pthread_join(cl[i].tid, NULL);
    printf("client %d: %u letters\n", i, cl[i].letters);
  }
  printf("%d catalogs loaded\n", loads);
  for (int l = 0; l < NLANGS; l++) free(atomic_load(&loaded[l]));
  return 0;
}
