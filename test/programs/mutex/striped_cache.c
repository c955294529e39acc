// VERBS check confirm
// SHOWN
// A hash cache with striped locks; the number of entries of the whole cache is guarded by whichever stripe is held.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 64
#define STRIPES 8

struct entry {
  struct entry *next;
  uint32_t hash;
  int value;
  char key[];
};

struct cache {
  pthread_mutex_t stripes[STRIPES];
  struct entry *buckets[BUCKETS];
  size_t count;
};

static uint32_t hash_of(const char *key) {
  uint32_t h = 2166136261u;
  for (; *key; key++) h = (h ^ (unsigned char)*key) * 16777619u;
  return h;
}

static pthread_mutex_t *stripe_of(struct cache *c, uint32_t hash) { return &c->stripes[(hash % BUCKETS) % STRIPES]; }

static struct entry *find_locked(struct cache *c, uint32_t hash, const char *key) {
  for (struct entry *e = c->buckets[hash % BUCKETS]; e; e = e->next)
    if (e->hash == hash && strcmp(e->key, key) == 0) return e;
  return NULL;
}

static int cache_put(struct cache *c, const char *key, int value) {
  uint32_t hash = hash_of(key);
  pthread_mutex_t *stripe = stripe_of(c, hash);
  int rc = 0;
  pthread_mutex_lock(stripe);
  struct entry *e = find_locked(c, hash, key);
  if (e) {
    e->value = value;
    goto out;
  }
  e = malloc(sizeof *e + strlen(key) + 1);
  if (!e) {
    rc = -1;
    goto out;
  }
  e->hash = hash;
  e->value = value;
  strcpy(e->key, key);
  e->next = c->buckets[hash % BUCKETS];
  c->buckets[hash % BUCKETS] = e;
  c->count++; // RACE put SELF // RACE putdel
out:
  pthread_mutex_unlock(stripe);
  return rc;
}

static int cache_get(struct cache *c, const char *key, int *value) {
  uint32_t hash = hash_of(key);
  pthread_mutex_t *stripe = stripe_of(c, hash);
  pthread_mutex_lock(stripe);
  struct entry *e = find_locked(c, hash, key);
  if (e) *value = e->value;
  pthread_mutex_unlock(stripe);
  return e != NULL;
}

static int cache_del(struct cache *c, const char *key) {
  uint32_t hash = hash_of(key);
  pthread_mutex_t *stripe = stripe_of(c, hash);
  int found = 0;
  pthread_mutex_lock(stripe);
  for (struct entry **pp = &c->buckets[hash % BUCKETS]; *pp; pp = &(*pp)->next) {
    struct entry *e = *pp;
    if (e->hash != hash || strcmp(e->key, key)) continue;
    *pp = e->next;
    c->count--; // RACE del SELF // RACE putdel
    free(e);
    found = 1;
    break;
  }
  pthread_mutex_unlock(stripe);
  return found;
}

struct task {
  struct cache *cache;
  int from, to;
  int hits;
};

static void *exercise(void *arg) {
  struct task *t = arg;
  char key[32];
  for (int i = t->from; i < t->to; i++) {
    snprintf(key, sizeof key, "user:%d", i);
    if (cache_put(t->cache, key, i)) return NULL;
  }
  for (int i = t->from; i < t->to; i += 2) {
    int value;
    snprintf(key, sizeof key, "user:%d", i);
    if (cache_get(t->cache, key, &value) && value == i) t->hits++;
    cache_del(t->cache, key);
  }
  return NULL;
}

int main(void) {
  struct cache *c = calloc(1, sizeof *c);
  if (!c) return 1;
  for (int i = 0; i < STRIPES; i++) pthread_mutex_init(&c->stripes[i], NULL);
  pthread_t threads[4];
  struct task tasks[4];
  for (int i = 0; i < 4; i++) {
    tasks[i] = (struct task){.cache = c, .from = i * 100, .to = i * 100 + 150};
    pthread_create(&threads[i], NULL, exercise, &tasks[i]);
  }
  int hits = 0;
  for (int i = 0; i < 4; i++) {
    pthread_join(threads[i], NULL);
    hits += tasks[i].hits;
  }
  printf("%zu entries, %d hits\n", c->count, hits);
  for (int i = 0; i < BUCKETS; i++)
    for (struct entry *e = c->buckets[i]; e;) {
      struct entry *next = e->next;
      free(e);
      e = next;
    }
  free(c);
  return 0;
}
