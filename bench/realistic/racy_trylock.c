// SHOWN
// A rate limiter: the slow path uses the guarded bucket although the lock was only tried.
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>

struct bucket {
  pthread_mutex_t lock;
  double tokens;
  double rate;
  double burst;
  struct timespec last;
};

static struct bucket limiter = {.lock = PTHREAD_MUTEX_INITIALIZER, .rate = 1e6, .burst = 100, .tokens = 100};

static double elapsed(const struct timespec *from, const struct timespec *to) {
  return (double)(to->tv_sec - from->tv_sec) + (double)(to->tv_nsec - from->tv_nsec) / 1e9;
}

static void refill(struct bucket *b) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  b->tokens += elapsed(&b->last, &now) * b->rate; // RACE refill
  if (b->tokens > b->burst) b->tokens = b->burst; // RACE clamp
  b->last = now;                                  // NORACE called with the lock
}

static bool bucket_take(struct bucket *b) {
  bool ok = false;
  pthread_mutex_lock(&b->lock);
  refill(b);
  if (b->tokens >= 1) {
    b->tokens -= 1; // RACE level
    ok = true;
  }
  pthread_mutex_unlock(&b->lock);
  return ok;
}

static int bucket_level(struct bucket *b) {
  bool locked = pthread_mutex_trylock(&b->lock) == 0;
  int level = (int)(b->tokens * 100 / b->burst); // RACE level refill clamp
  if (locked) pthread_mutex_unlock(&b->lock);
  return level;
}

static void *client(void *arg) {
  unsigned *granted = arg;
  for (int i = 0; i < 300; i++)
    if (bucket_take(&limiter)) ++*granted;
  return NULL;
}

static void *gauge(void *arg) {
  int *lowest = arg;
  *lowest = 100;
  for (int i = 0; i < 300; i++) {
    int level = bucket_level(&limiter);
    if (level < *lowest) *lowest = level;
  }
  return NULL;
}

int main(void) {
  pthread_t clients[2], g;
  unsigned granted[2] = {0, 0};
  int lowest;
  clock_gettime(CLOCK_MONOTONIC, &limiter.last);
  for (int i = 0; i < 2; i++) pthread_create(&clients[i], NULL, client, &granted[i]);
  pthread_create(&g, NULL, gauge, &lowest);
  for (int i = 0; i < 2; i++) pthread_join(clients[i], NULL);
  pthread_join(g, NULL);
  printf("%u granted, lowest level %d%%\n", granted[0] + granted[1], lowest);
  return 0;
}
