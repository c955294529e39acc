// SHOWN
// SIGHUP and SIGTERM are blocked everywhere and taken by one sigwait thread, which reloads the configuration under a write lock.
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define NWORKERS 2

struct config {
  int generation;
  int timeout_ms;
  char upstream[32];
};

static struct {
  pthread_rwlock_t lock;
  struct config now;
  int closing; /* guarded by lock */
} live = {.lock = PTHREAD_RWLOCK_INITIALIZER, .now = {1, 100, "backend-1"}};

static int hups; /* signal thread only, then main after the join */

static void reload(void) {
  struct config fresh;

  memset(&fresh, 0, sizeof fresh);
  fresh.timeout_ms = 100 + 10 * hups;
  snprintf(fresh.upstream, sizeof fresh.upstream, "backend-%d", hups + 1);

  pthread_rwlock_wrlock(&live.lock);
  fresh.generation = live.now.generation + 1;
  live.now = fresh; // NORACE
  pthread_rwlock_unlock(&live.lock);
}

static void *signal_thread(void *arg) {
  const sigset_t *set = arg;
  int sig;

  while (sigwait(set, &sig) == 0) {
    if (sig == SIGTERM) break;
    hups++; // NORACE
    reload();
  }
  pthread_rwlock_wrlock(&live.lock);
  live.closing = 1;
  pthread_rwlock_unlock(&live.lock);
  return NULL;
}

static void *worker(void *arg) {
  unsigned *seen = arg;
  struct config c;
  int closing;

  do {
    pthread_rwlock_rdlock(&live.lock);
    memcpy(&c, &live.now, sizeof c); // NORACE
    closing = live.closing;
    pthread_rwlock_unlock(&live.lock);
    if ((unsigned)c.generation > *seen) *seen = (unsigned)c.generation;
    usleep(200);
  } while (!closing);
  return NULL;
}

int main(void) {
  pthread_t sig, w[NWORKERS];
  unsigned seen[NWORKERS] = {0};
  static sigset_t set;

  sigemptyset(&set);
  sigaddset(&set, SIGHUP);
  sigaddset(&set, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &set, NULL);

  pthread_create(&sig, NULL, signal_thread, &set);
  for (int i = 0; i < NWORKERS; i++) pthread_create(&w[i], NULL, worker, &seen[i]);
  for (int i = 0; i < 3; i++) {
    kill(getpid(), SIGHUP);
    usleep(2000);
  }
  kill(getpid(), SIGTERM);
  pthread_join(sig, NULL);
  for (int i = 0; i < NWORKERS; i++) pthread_join(w[i], NULL);
  printf("%d reloads, upstream %s, workers saw %u and %u\n", hups, live.now.upstream, seen[0], seen[1]);
  return 0;
}
