// VERBS check run confirm
// FLAGS -Wall
// SHOWN
// Key-value store with a reader/writer lock; the error path of a delete counts its miss after the unlock.
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KV_BUCKETS 16

typedef struct kv_entry {
  struct kv_entry *next;
  char *value;
  size_t value_len;
  char key[];
} kv_entry;

typedef struct {
  pthread_rwlock_t lock;
  kv_entry *buckets[KV_BUCKETS];
  size_t count;
  uint64_t misses;
  uint64_t generation;
} kv_store;

static uint32_t kv_hash(const char *key) {
  uint32_t h = 2166136261u;
  while (*key) h = (h ^ (uint8_t)*key++) * 16777619u;
  return h % KV_BUCKETS;
}

static kv_entry **kv_slot(kv_store *s, const char *key) {
  kv_entry **p = &s->buckets[kv_hash(key)];
  while (*p && strcmp((*p)->key, key) != 0) p = &(*p)->next;
  return p;
}

static int kv_put(kv_store *s, const char *key, const char *value) {
  int rc = 0;
  size_t len = strlen(value) + 1;
  char *copy = malloc(len);
  if (!copy) return -ENOMEM;
  memcpy(copy, value, len);
  pthread_rwlock_wrlock(&s->lock);
  kv_entry **slot = kv_slot(s, key);
  if (*slot) {
    free((*slot)->value);
  } else {
    kv_entry *e = malloc(sizeof *e + strlen(key) + 1);
    if (!e) {
      free(copy);
      rc = -ENOMEM;
      goto out;
    }
    strcpy(e->key, key);
    e->next = NULL;
    *slot = e;
    s->count++;
  }
  (*slot)->value = copy;
  (*slot)->value_len = len;
  s->generation++;
out:
  pthread_rwlock_unlock(&s->lock);
  return rc;
}

static int kv_get(kv_store *s, const char *key, char *out, size_t size) {
  int rc = -ENOENT;
  pthread_rwlock_rdlock(&s->lock);
  kv_entry *e = *kv_slot(s, key);
  if (e) {
    snprintf(out, size, "%s", e->value);
    rc = 0;
  }
  pthread_rwlock_unlock(&s->lock);
  return rc;
}

static int kv_del(kv_store *s, const char *key) {
  pthread_rwlock_wrlock(&s->lock);
  kv_entry **slot = kv_slot(s, key), *e = *slot;
  if (!e) {
    pthread_rwlock_unlock(&s->lock);
    s->misses++; // RACE misses SELF
    return -ENOENT;
  }
  *slot = e->next;
  s->count--;
  s->generation++;
  pthread_rwlock_unlock(&s->lock);
  free(e->value);
  free(e);
  return 0;
}

typedef struct {
  kv_store *store;
  int seed;
} session;

static void *session_main(void *arg) {
  session *me = arg;
  char key[16], value[32];
  for (int i = 0; i < 30; i++) {
    snprintf(key, sizeof key, "k%d", (i * 7 + me->seed) % 11);
    snprintf(value, sizeof value, "v%d-%d", me->seed, i);
    if (i % 3 == 0)
      kv_put(me->store, key, value);
    else if (i % 3 == 1)
      kv_get(me->store, key, value, sizeof value);
    else
      kv_del(me->store, key);
  }
  return NULL;
}

int main(void) {
  kv_store *store = calloc(1, sizeof *store);
  pthread_rwlock_init(&store->lock, NULL);
  session sessions[3];
  pthread_t ids[3];
  for (int i = 0; i < 3; i++) {
    sessions[i] = (session){store, i};
    pthread_create(&ids[i], NULL, session_main, &sessions[i]);
  }
  for (int i = 0; i < 3; i++) pthread_join(ids[i], NULL);
  printf("%zu left, %llu misses\n", store->count, (unsigned long long)store->misses);
  for (int b = 0; b < KV_BUCKETS; b++)
    for (kv_entry *e = store->buckets[b], *n; e; e = n) {
      n = e->next;
      free(e->value);
      free(e);
    }
  pthread_rwlock_destroy(&store->lock);
  free(store);
  return 0;
}
