// VERBS check run confirm
// SHOWN
// A string pool whose locking is optional: the flag is right for intern(), but pool_stats() forgets the lock altogether.
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pool {
  bool shared;
  pthread_mutex_t lock;
  char **strings;
  size_t count, capacity, bytes;
};

static void pool_lock(struct pool *p) {
  if (p->shared) pthread_mutex_lock(&p->lock);
}

static void pool_unlock(struct pool *p) {
  if (p->shared) pthread_mutex_unlock(&p->lock);
}

static struct pool *pool_create(bool shared) {
  struct pool *p = calloc(1, sizeof *p);
  if (!p) abort();
  p->shared = shared;
  if (shared) pthread_mutex_init(&p->lock, NULL);
  return p;
}

static const char *pool_intern(struct pool *p, const char *text) {
  const char *found = NULL;
  pool_lock(p);
  for (size_t i = 0; i < p->count && !found; i++)
    if (!strcmp(p->strings[i], text)) found = p->strings[i];
  if (!found) {
    if (p->count == p->capacity) {
      p->capacity = p->capacity ? 2 * p->capacity : 8;
      p->strings = realloc(p->strings, p->capacity * sizeof *p->strings);
      if (!p->strings) abort();
    }
    found = p->strings[p->count++] = strdup(text);
    p->bytes += strlen(text) + 1; // RACE bytes
  }
  pool_unlock(p);
  return found;
}

static size_t pool_stats(const struct pool *p) {
  return p->bytes; // RACE bytes
}

static void pool_destroy(struct pool *p) {
  for (size_t i = 0; i < p->count; i++) free(p->strings[i]);
  free(p->strings);
  free(p);
}

static void *lexer(void *arg) {
  struct pool *p = arg, *local = pool_create(false);
  char word[16];
  for (int i = 0; i < 60; i++) {
    snprintf(word, sizeof word, "id%d", i * 13 % 37);
    pool_intern(i % 2 ? p : local, word);
  }
  pool_destroy(local);
  return NULL;
}

static void *monitor(void *arg) {
  size_t most = 0;
  for (int i = 0; i < 20; i++) {
    size_t now = pool_stats(arg);
    if (now > most) most = now;
  }
  return (void *)most;
}

int main(void) {
  struct pool *p = pool_create(true);
  pthread_t a, b, m;
  pthread_create(&a, NULL, lexer, p);
  pthread_create(&b, NULL, lexer, p);
  pthread_create(&m, NULL, monitor, p);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_join(m, NULL);
  printf("%zu strings, %zu bytes\n", p->count, pool_stats(p));
  pool_destroy(p);
  return 0;
}
