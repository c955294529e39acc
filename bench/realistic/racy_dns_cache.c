// VERBS check run confirm
// SHOWN
// A resolver's cache with one lock per stripe of buckets; the eviction counter is common to all stripes.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STRIPES 8
#define DEPTH 4

struct record {
  struct record *next;
  char name[32];
  uint32_t address;
  unsigned used;
};

struct stripe {
  pthread_mutex_t lock;
  struct record *chain;
  unsigned length;
  unsigned clock;
};

struct cache {
  struct stripe stripes[STRIPES];
  unsigned long evictions;
};

static struct cache *cache_create(void) {
  struct cache *c = calloc(1, sizeof *c);
  if (!c) abort();
  for (int i = 0; i < STRIPES; i++) pthread_mutex_init(&c->stripes[i].lock, NULL);
  return c;
}

static unsigned hash_name(const char *name) {
  unsigned h = 2166136261u;
  while (*name) h = (h ^ (unsigned char)*name++) * 16777619u;
  return h;
}

static struct record *stripe_find(struct stripe *s, const char *name) {
  for (struct record *r = s->chain; r; r = r->next)
    if (!strcmp(r->name, name)) {
      r->used = ++s->clock;
      return r;
    }
  return NULL;
}

static void stripe_evict(struct cache *c, struct stripe *s) {
  struct record **oldest = &s->chain;
  for (struct record **p = &s->chain; *p; p = &(*p)->next)
    if ((*p)->used < (*oldest)->used) oldest = p;
  struct record *victim = *oldest;
  *oldest = victim->next;
  s->length--;
  c->evictions++; // RACE evictions SELF
  free(victim);
}

static uint32_t cache_resolve(struct cache *c, const char *name) {
  unsigned h = hash_name(name);
  struct stripe *s = &c->stripes[h % STRIPES];
  pthread_mutex_lock(&s->lock);
  struct record *r = stripe_find(s, name);
  if (!r) {
    if (s->length >= DEPTH) stripe_evict(c, s);
    r = calloc(1, sizeof *r);
    if (!r) abort();
    snprintf(r->name, sizeof r->name, "%s", name);
    r->address = h;
    r->used = ++s->clock;
    r->next = s->chain;
    s->chain = r;
    s->length++;
  }
  uint32_t address = r->address;
  pthread_mutex_unlock(&s->lock);
  return address;
}

static void cache_destroy(struct cache *c) {
  for (int i = 0; i < STRIPES; i++) {
    struct record *next;
    for (struct record *r = c->stripes[i].chain; r; r = next) {
      next = r->next;
      free(r);
    }
    pthread_mutex_destroy(&c->stripes[i].lock);
  }
  free(c);
}

static void *client(void *arg) {
  struct cache *c = arg;
  char name[32];
  uint32_t sum = 0;
  for (int i = 0; i < 200; i++) {
    snprintf(name, sizeof name, "host%d.example.org", i * 7 % 97);
    sum += cache_resolve(c, name);
  }
  return (void *)(uintptr_t)sum;
}

int main(void) {
  struct cache *c = cache_create();
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, client, c);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  printf("%lu evictions\n", c->evictions);
  cache_destroy(c);
  return 0;
}
