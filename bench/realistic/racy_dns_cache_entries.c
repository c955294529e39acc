// SHOWN
// A resolver cache behind a read-write lock: lookups hold only the read side, yet touch the entry's usage fields for the evictor.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NBUCKETS 8
#define NCLIENTS 4

struct entry {
  struct entry *next;
  char host[24];
  uint32_t addr;
  unsigned hits;
  unsigned last_used;
};

struct cache {
  pthread_rwlock_t lock;
  struct entry *bucket[NBUCKETS];
};

static struct cache dns = {.lock = PTHREAD_RWLOCK_INITIALIZER};
static const char *const hosts[] = {"git", "mail", "www", "db1", "db2"};
#define NHOSTS (sizeof hosts / sizeof hosts[0])

static unsigned slot(const char *s) {
  unsigned h = 0;

  while (*s) h = h * 131 + (unsigned char)*s++;
  return h % NBUCKETS;
}

static void cache_add(struct cache *c, const char *host, uint32_t addr) {
  struct entry *e = calloc(1, sizeof *e);

  if (!e) abort();
  snprintf(e->host, sizeof e->host, "%s", host);
  e->addr = addr;
  pthread_rwlock_wrlock(&c->lock);
  e->next = c->bucket[slot(host)];
  c->bucket[slot(host)] = e;
  pthread_rwlock_unlock(&c->lock);
}

static uint32_t cache_find(struct cache *c, const char *host, unsigned now) {
  uint32_t addr = 0;

  pthread_rwlock_rdlock(&c->lock);
  for (struct entry *e = c->bucket[slot(host)]; e; e = e->next)
    if (strcmp(e->host, host) == 0) {
      e->hits++;          // RACE hits SELF
      e->last_used = now; // RACE used SELF
      addr = e->addr;
      break;
    }
  pthread_rwlock_unlock(&c->lock);
  return addr;
}

static void cache_age(struct cache *c, unsigned before) {
  pthread_rwlock_wrlock(&c->lock);
  for (int b = 0; b < NBUCKETS; b++)
    for (struct entry *e = c->bucket[b]; e; e = e->next)
      if (e->last_used < before) e->hits /= 2; // NORACE
  pthread_rwlock_unlock(&c->lock);
}

static void *client(void *arg) {
  unsigned start = (unsigned)(uintptr_t)arg;

  for (unsigned i = 0; i < 1000; i++)
    if (cache_find(&dns, hosts[(start + i) % NHOSTS], i) == 0) fprintf(stderr, "miss\n");
  return NULL;
}

static void *ager(void *arg) {
  (void)arg;
  for (unsigned i = 0; i < 20; i++) cache_age(&dns, i * 50);
  return NULL;
}

int main(void) {
  pthread_t t[NCLIENTS], old;

  for (unsigned i = 0; i < NHOSTS; i++) cache_add(&dns, hosts[i], 0x0a000001u + i);
  pthread_create(&old, NULL, ager, NULL);
  for (uintptr_t i = 0; i < NCLIENTS; i++) pthread_create(&t[i], NULL, client, (void *)i);
  for (int i = 0; i < NCLIENTS; i++) pthread_join(t[i], NULL);
  pthread_join(old, NULL);
  for (int b = 0; b < NBUCKETS; b++)
    while (dns.bucket[b]) {
      struct entry *e = dns.bucket[b];

      dns.bucket[b] = e->next;
      printf("%s hits=%u\n", e->host, e->hits);
      free(e);
    }
  return 0;
}
