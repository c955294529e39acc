// SHOWN
// A hash set with a lock for each stripe; growing takes all stripes.
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define STRIPES 4

struct node {
  struct node *next;
  uint64_t key;
};

struct set {
  pthread_mutex_t locks[STRIPES];
  struct node **buckets;
  size_t nbuckets;
  atomic_size_t size;
};

static uint64_t mix(uint64_t x) {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdull;
  return x ^ (x >> 33);
}

static void lock_all(struct set *s) {
  for (int i = 0; i < STRIPES; i++) pthread_mutex_lock(&s->locks[i]);
}

static void unlock_all(struct set *s) {
  for (int i = STRIPES - 1; i >= 0; i--) pthread_mutex_unlock(&s->locks[i]);
}

static void set_grow(struct set *s, size_t seen) {
  lock_all(s);
  if (s->nbuckets == seen) {
    size_t n = 2 * seen;
    struct node **fresh = calloc(n, sizeof *fresh);
    if (fresh) {
      for (size_t i = 0; i < s->nbuckets; i++)
        for (struct node *e = s->buckets[i]; e;) {
          struct node *next = e->next; // NORACE all stripes are held
          size_t to = mix(e->key) & (n - 1);
          e->next = fresh[to]; // NORACE all stripes are held
          fresh[to] = e;
          e = next;
        }
      free(s->buckets);
      s->buckets = fresh; // NORACE all stripes are held
      s->nbuckets = n;    // NORACE all stripes are held
    }
  }
  unlock_all(s);
}

static bool set_add(struct set *s, uint64_t key) {
  uint64_t hash = mix(key);
  pthread_mutex_t *lock = &s->locks[hash % STRIPES];
  pthread_mutex_lock(lock);
  size_t n = s->nbuckets;                             // NORACE a stripe is held
  struct node **bucket = &s->buckets[hash & (n - 1)]; // NORACE nbuckets is a multiple of STRIPES
  for (struct node *e = *bucket; e; e = e->next)
    if (e->key == key) {
      pthread_mutex_unlock(lock);
      return false;
    }
  struct node *e = malloc(sizeof *e);
  if (!e) abort();
  e->key = key;
  e->next = *bucket; // NORACE
  *bucket = e;       // NORACE
  pthread_mutex_unlock(lock);
  if (atomic_fetch_add(&s->size, 1) > 2 * n) set_grow(s, n);
  return true;
}

static struct set set;

static void *filler(void *arg) {
  uint64_t start = *(uint64_t *)arg;
  uintptr_t added = 0;
  for (uint64_t i = 0; i < 200; i++) added += set_add(&set, start + i * 3);
  return (void *)added;
}

int main(void) {
  pthread_t threads[3];
  uint64_t starts[3];
  for (int i = 0; i < STRIPES; i++) pthread_mutex_init(&set.locks[i], NULL);
  set.nbuckets = 8;
  set.buckets = calloc(set.nbuckets, sizeof *set.buckets);
  if (!set.buckets) return 1;
  for (int i = 0; i < 3; i++) {
    starts[i] = (uint64_t)i * 100;
    pthread_create(&threads[i], NULL, filler, &starts[i]);
  }
  uintptr_t sum = 0;
  for (int i = 0; i < 3; i++) {
    void *added;
    pthread_join(threads[i], &added);
    sum += (uintptr_t)added;
  }
  printf("%zu %zu in %zu\n", (size_t)sum, atomic_load(&set.size), set.nbuckets);
  return 0;
}
