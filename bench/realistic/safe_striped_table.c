// SHOWN
// A session table takes one of four stripe locks per operation; growing replaces the bucket array while holding all stripes, so any one stripe suffices to read it.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define NSTRIPES 4u
#define NTHREADS 3
#define PER_THREAD 200u

struct session {
  struct session *next;
  unsigned id;
  unsigned touched;
};

struct table {
  pthread_mutex_t stripe[NSTRIPES];
  unsigned in_stripe[NSTRIPES]; /* each guarded by its stripe */
  struct session **bucket;      /* read under any stripe, replaced under all */
  unsigned nbuckets;            /* always a multiple of NSTRIPES */
  unsigned grown;
};

static struct table sessions;

static void lock_all(struct table *t) {
  for (unsigned i = 0; i < NSTRIPES; i++) pthread_mutex_lock(&t->stripe[i]);
}

static void unlock_all(struct table *t) {
  for (unsigned i = NSTRIPES; i-- > 0;) pthread_mutex_unlock(&t->stripe[i]);
}

static void grow(struct table *t, unsigned seen) {
  lock_all(t);
  if (t->nbuckets == seen) {
    unsigned n = seen * 2;
    struct session **fresh = calloc(n, sizeof(*fresh));

    for (unsigned i = 0; fresh && i < seen; i++)
      while (t->bucket[i]) {
        struct session *s = t->bucket[i];

        t->bucket[i] = s->next;
        s->next = fresh[s->id % n];
        fresh[s->id % n] = s;
      }
    if (fresh) {
      free(t->bucket);   // NORACE
      t->bucket = fresh; // NORACE
      t->nbuckets = n;
      t->grown++;
    }
  }
  unlock_all(t);
}

static void touch(struct table *t, unsigned id) {
  unsigned st = id % NSTRIPES, seen, load;
  struct session *s;

  pthread_mutex_lock(&t->stripe[st]);
  seen = t->nbuckets;                            // NORACE
  for (s = t->bucket[id % seen]; s; s = s->next) // NORACE
    if (s->id == id) break;
  if (!s && (s = calloc(1, sizeof *s)) != NULL) {
    s->id = id;
    s->next = t->bucket[id % seen];
    t->bucket[id % seen] = s; // NORACE
    t->in_stripe[st]++;       // NORACE
  }
  if (s) s->touched++;
  load = t->in_stripe[st] * NSTRIPES;
  pthread_mutex_unlock(&t->stripe[st]);
  if (load > 2 * seen) grow(t, seen);
}

static void *client(void *arg) {
  unsigned x = *(const unsigned *)arg;

  for (unsigned i = 0; i < PER_THREAD; i++) {
    x = x * 1664525u + 1013904223u;
    touch(&sessions, (x >> 16) % 300);
  }
  return NULL;
}

int main(void) {
  static const unsigned seed[NTHREADS] = {3, 14, 159};
  pthread_t t[NTHREADS];
  unsigned touched = 0;

  sessions.nbuckets = NSTRIPES;
  sessions.bucket = calloc(sessions.nbuckets, sizeof(*sessions.bucket));
  if (!sessions.bucket) return 1;
  for (unsigned i = 0; i < NSTRIPES; i++) pthread_mutex_init(&sessions.stripe[i], NULL);
  for (int i = 0; i < NTHREADS; i++) pthread_create(&t[i], NULL, client, (void *)&seed[i]);
  for (int i = 0; i < NTHREADS; i++) pthread_join(t[i], NULL);
  for (unsigned b = 0; b < sessions.nbuckets; b++)
    while (sessions.bucket[b]) {
      struct session *s = sessions.bucket[b];

      sessions.bucket[b] = s->next;
      touched += s->touched;
      free(s);
    }
  free(sessions.bucket);
  printf("touched %u, grown %s\n", touched, sessions.grown ? "yes" : "no");
  return 0;
}
