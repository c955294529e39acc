// SHOWN
// A latency recorder avoids blocking with trylock, counts the contention, and then updates the totals whether it got the lock or not.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#define NTHREADS 4
#define NSAMPLES 4000

struct latency {
  pthread_mutex_t lock;
  unsigned long long sum_us;
  unsigned long count;
  atomic_ulong contended;
};

struct endpoint {
  const char *path;
  struct latency lat;
};

static struct endpoint login = {.path = "/login", .lat.lock = PTHREAD_MUTEX_INITIALIZER};

static void latency_record(struct latency *l, unsigned us) {
  int held = pthread_mutex_trylock(&l->lock) == 0;

  if (!held) atomic_fetch_add_explicit(&l->contended, 1, memory_order_relaxed);
  l->sum_us += us; // RACE sum SELF
  l->count++;      // RACE count SELF
  if (held) pthread_mutex_unlock(&l->lock);
}

static void *client(void *arg) {
  struct endpoint *ep = arg;
  unsigned x = 2463534242u;

  for (int i = 0; i < NSAMPLES; i++) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    latency_record(&ep->lat, x % 1500);
  }
  return NULL;
}

int main(void) {
  pthread_t t[NTHREADS];

  for (int i = 0; i < NTHREADS; i++) pthread_create(&t[i], NULL, client, &login);
  for (int i = 0; i < NTHREADS; i++) pthread_join(t[i], NULL);

  printf("%s: %lu samples, mean %llu us, contended %lu\n", login.path, login.lat.count,
         login.lat.count ? login.lat.sum_us / login.lat.count : 0, atomic_load(&login.lat.contended));
  return 0;
}
