// SHOWN
// Three right ways of lazy initialisation: pthread_once, double-checked with an atomic, compare and swap.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct dictionary {
  size_t n;
  char words[16][12];
};

struct codec {
  unsigned char forward[256], backward[256];
};

struct arena {
  size_t size;
  char *base;
};

static pthread_once_t codec_once = PTHREAD_ONCE_INIT;
static struct codec codec;

static pthread_mutex_t dictionary_lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(struct dictionary *) dictionary;

static _Atomic(struct arena *) arena;

static void codec_build(void) {
  for (int i = 0; i < 256; i++) {
    codec.forward[i] = (unsigned char)(i * 5 + 3);       // NORACE once
    codec.backward[codec.forward[i]] = (unsigned char)i; // NORACE once
  }
}

static const struct codec *get_codec(void) {
  pthread_once(&codec_once, codec_build);
  return &codec;
}

static const struct dictionary *get_dictionary(void) {
  struct dictionary *d = atomic_load_explicit(&dictionary, memory_order_acquire);
  if (d) return d;
  pthread_mutex_lock(&dictionary_lock);
  d = atomic_load_explicit(&dictionary, memory_order_relaxed);
  if (!d) {
    d = calloc(1, sizeof *d);
    if (!d) abort();
    for (d->n = 0; d->n < 16; d->n++) snprintf(d->words[d->n], sizeof d->words[0], "word%zu", d->n);
    atomic_store_explicit(&dictionary, d, memory_order_release);
  }
  pthread_mutex_unlock(&dictionary_lock);
  return d;
}

static struct arena *get_arena(void) {
  struct arena *a = atomic_load(&arena);
  if (a) return a;
  struct arena *fresh = malloc(sizeof *fresh);
  if (!fresh) abort();
  fresh->size = 128;
  fresh->base = calloc(1, fresh->size);
  if (atomic_compare_exchange_strong(&arena, &a, fresh)) return fresh;
  free(fresh->base);
  free(fresh);
  return a;
}

static void *user(void *arg) {
  unsigned sum = 0;
  for (int i = 0; i < 50; i++) {
    const struct codec *c = get_codec();
    const struct dictionary *d = get_dictionary();
    sum += c->backward[c->forward[i]];           // NORACE after the once
    sum += (unsigned)strlen(d->words[i % d->n]); // NORACE after the acquire
    sum += (unsigned)get_arena()->size;          // NORACE after the load
  }
  *(unsigned *)arg = sum;
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  unsigned sums[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, user, &sums[i]);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  printf("%u %u %u\n", sums[0], sums[1], sums[2]);
  free(get_arena()->base);
  free(get_arena());
  free(atomic_load(&dictionary));
  return 0;
}
