// VERBS check run confirm
// FLAGS -Wall
// SHOWN
// Rate limiter: a token bucket per tenant; the fast path looks at the tokens before it takes the lock.
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

struct bucket {
  pthread_mutex_t lock;
  double tokens;
  double rate;
  double burst;
  struct timespec last;
  uint32_t rejected;
};

#define TENANTS 4
static struct bucket buckets[TENANTS];

static void bucket_init(struct bucket *b, double rate, double burst) {
  pthread_mutex_init(&b->lock, NULL);
  b->tokens = burst;
  b->rate = rate;
  b->burst = burst;
  clock_gettime(CLOCK_MONOTONIC, &b->last);
}

static void bucket_refill_locked(struct bucket *b) {
  struct timespec now;
  double dt;

  clock_gettime(CLOCK_MONOTONIC, &now);
  dt = (double)(now.tv_sec - b->last.tv_sec) + (double)(now.tv_nsec - b->last.tv_nsec) / 1e9;
  b->last = now;
  if (b->tokens + dt * b->rate > b->burst)
    b->tokens = b->burst; // RACE refill
  else
    b->tokens += dt * b->rate; // RACE refill2
}

static bool bucket_take(struct bucket *b, double n) {
  bool ok = false;

  if (b->tokens + b->burst < n) // RACE refill refill2 take
    return false;

  pthread_mutex_lock(&b->lock);
  bucket_refill_locked(b);
  if (b->tokens >= n) {
    b->tokens -= n; // RACE take
    ok = true;
  } else {
    b->rejected++;
  }
  pthread_mutex_unlock(&b->lock);
  return ok;
}

static void *client(void *arg) {
  unsigned *granted = arg;

  for (int i = 0; i < 40; i++)
    if (bucket_take(&buckets[i % TENANTS], 1.0)) ++*granted;
  return NULL;
}

int main(void) {
  pthread_t t[3];
  unsigned granted[3] = {0};

  for (int i = 0; i < TENANTS; i++) bucket_init(&buckets[i], 1000000, 5);
  for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, client, &granted[i]);
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  printf("%u granted\n", granted[0] + granted[1] + granted[2]);
  return 0;
}
