// SHOWN
// Request workers keep the server statistics under a lock; the exporter copies the whole block out with memcpy and forgets the lock.
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define NWORKERS 3
#define NREQ 3000

struct counters {
  unsigned long requests;
  unsigned long bytes;
};

struct server {
  pthread_mutex_t lock;
  struct counters now;
  unsigned long slow; /* guarded by lock, exported on its own */
};

static struct server srv = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void account(struct server *s, size_t len) {
  pthread_mutex_lock(&s->lock);
  s->now.requests++;   // RACE req
  s->now.bytes += len; // RACE bytes
  if (len > 900) s->slow++;
  pthread_mutex_unlock(&s->lock);
}

static void *serve(void *arg) {
  unsigned seed = *(const unsigned *)arg;

  for (int i = 0; i < NREQ; i++) {
    seed = seed * 1103515245u + 12345u;
    account(&srv, (seed >> 16) % 1000);
  }
  return NULL;
}

static void snapshot(const struct server *s, struct counters *out) {
  memcpy(out, &s->now, sizeof *out); // RACE req // RACE bytes
}

static unsigned long slow_requests(struct server *s) {
  unsigned long n;

  pthread_mutex_lock(&s->lock);
  n = s->slow;
  pthread_mutex_unlock(&s->lock);
  return n;
}

static void *export_loop(void *arg) {
  char line[96];
  struct counters c;

  (void)arg;
  for (int i = 0; i < 10; i++) {
    snapshot(&srv, &c);
    snprintf(line, sizeof line, "req=%lu bytes=%lu slow=%lu", c.requests, c.bytes, slow_requests(&srv));
    usleep(500);
  }
  puts(line);
  return NULL;
}

int main(void) {
  static const unsigned seeds[NWORKERS] = {1, 77, 4242};
  pthread_t w[NWORKERS], exporter;

  pthread_create(&exporter, NULL, export_loop, NULL);
  for (int i = 0; i < NWORKERS; i++) pthread_create(&w[i], NULL, serve, (void *)&seeds[i]);
  for (int i = 0; i < NWORKERS; i++) pthread_join(w[i], NULL);
  pthread_join(exporter, NULL);
  printf("total %lu\n", srv.now.requests);
  return 0;
}
