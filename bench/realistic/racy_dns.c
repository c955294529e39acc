// VERBS check run confirm
// FLAGS -Wall
// SHOWN
// DNS cache: the lookup counts a reference and returns the entry, whose address a refresh overwrites in place.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NBUCKET 8

struct dns_ent {
  struct dns_ent *next;
  int refs;
  uint32_t ttl;
  uint8_t addr[4];
  char host[40];
};

struct dns_bucket {
  pthread_mutex_t mtx;
  struct dns_ent *head;
};

static struct dns_bucket table[NBUCKET];

static struct dns_bucket *bucket_of(const char *host) {
  unsigned h = 0;
  for (; *host; host++) h = h * 31 + (unsigned char)*host;
  return &table[h % NBUCKET];
}

static struct dns_ent *ent_find(struct dns_bucket *b, const char *host) {
  struct dns_ent *e;
  for (e = b->head; e != NULL; e = e->next)
    if (!strcmp(e->host, host)) return e;
  return NULL;
}

static struct dns_ent *dns_get(const char *host) {
  struct dns_bucket *b = bucket_of(host);
  struct dns_ent *e;

  pthread_mutex_lock(&b->mtx);
  e = ent_find(b, host);
  if (e) e->refs++;
  pthread_mutex_unlock(&b->mtx);
  return e;
}

static void dns_put(struct dns_ent *e) {
  struct dns_bucket *b = bucket_of(e->host);
  int last;

  pthread_mutex_lock(&b->mtx);
  last = --e->refs == 0;
  pthread_mutex_unlock(&b->mtx);
  if (last) free(e);
}

static void dns_update(const char *host, const uint8_t addr[4], uint32_t ttl) {
  struct dns_bucket *b = bucket_of(host);
  struct dns_ent *e;

  pthread_mutex_lock(&b->mtx);
  e = ent_find(b, host);
  if (e == NULL) {
    e = calloc(1, sizeof *e);
    snprintf(e->host, sizeof e->host, "%s", host);
    e->refs = 1;
    e->next = b->head;
    b->head = e;
  }
  memcpy(e->addr, addr, 4); // RACE addr
  e->ttl = ttl;
  pthread_mutex_unlock(&b->mtx);
}

static const char *hosts[] = {"a.example", "b.example", "c.example"};

static void *resolver(void *arg) {
  unsigned seed = (unsigned)(uintptr_t)arg, sum = 0;

  for (int i = 0; i < 30; i++) {
    struct dns_ent *e = dns_get(hosts[(seed + i) % 3]);
    if (e == NULL) continue;
    sum += e->addr[0]; // RACE addr
    dns_put(e);
  }
  return (void *)(uintptr_t)sum;
}

static void *refresher(void *arg) {
  for (int i = 0; i < 30; i++) {
    uint8_t addr[4] = {10, 0, (uint8_t)i, 1};
    dns_update(hosts[i % 3], addr, 300);
  }
  return arg;
}

int main(void) {
  pthread_t t[3];
  const uint8_t first[4] = {127, 0, 0, 1};

  for (int i = 0; i < NBUCKET; i++) pthread_mutex_init(&table[i].mtx, NULL);
  for (int i = 0; i < 3; i++) dns_update(hosts[i], first, 60);
  pthread_create(&t[0], NULL, refresher, NULL);
  pthread_create(&t[1], NULL, resolver, (void *)1);
  pthread_create(&t[2], NULL, resolver, (void *)2);
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  for (int i = 0; i < NBUCKET; i++)
    while (table[i].head) {
      struct dns_ent *e = table[i].head;
      table[i].head = e->next;
      dns_put(e);
    }
  return 0;
}
