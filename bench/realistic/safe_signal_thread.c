// SHOWN
// Signals: a handler that sets an atomic flag, a thread that waits for a signal by sigwait and reloads under the lock.
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t got_term;
static atomic_int reloads;
static pthread_rwlock_t settings_lock = PTHREAD_RWLOCK_INITIALIZER;
static struct {
  int level;
  char target[32];
} settings = {1, "stdout"};

static void on_term(int number) {
  (void)number;
  got_term = 1; // NORACE in the thread that reads it: SIGTERM is blocked elsewhere
}

static void reload(int n) {
  pthread_rwlock_wrlock(&settings_lock);
  settings.level = n;                                              // NORACE under the lock
  snprintf(settings.target, sizeof settings.target, "file-%d", n); // NORACE under the lock
  pthread_rwlock_unlock(&settings_lock);
}

static void *signal_thread(void *arg) {
  sigset_t *set = arg;
  for (;;) {
    int number;
    if (sigwait(set, &number)) continue;
    if (number == SIGUSR1) break;
    reload(atomic_fetch_add(&reloads, 1) + 1);
  }
  return NULL;
}

static void *worker(void *arg) {
  size_t *sum = arg;
  for (int i = 0; i < 50; i++) {
    pthread_rwlock_rdlock(&settings_lock);
    *sum += strlen(settings.target) + (size_t)settings.level; // NORACE under the lock
    pthread_rwlock_unlock(&settings_lock);
  }
  return NULL;
}

int main(void) {
  sigset_t set, term;
  pthread_t signals, workers[2];
  size_t sums[2] = {0};
  struct sigaction action = {.sa_handler = on_term};
  sigaction(SIGTERM, &action, NULL);
  sigemptyset(&set);
  sigaddset(&set, SIGHUP);
  sigaddset(&set, SIGUSR1);
  sigemptyset(&term);
  sigaddset(&term, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  pthread_sigmask(SIG_BLOCK, &term, NULL);
  pthread_create(&signals, NULL, signal_thread, &set);
  for (int i = 0; i < 2; i++) pthread_create(&workers[i], NULL, worker, &sums[i]);
  pthread_sigmask(SIG_UNBLOCK, &term, NULL);
  kill(getpid(), SIGHUP);
  while (!atomic_load(&reloads)) usleep(100);
  raise(SIGTERM);
  while (!got_term) usleep(100); // NORACE the handler ran in this thread
  kill(getpid(), SIGUSR1);
  pthread_join(signals, NULL);
  for (int i = 0; i < 2; i++) pthread_join(workers[i], NULL);
  printf("%d reloads, %d\n", atomic_load(&reloads), sums[0] + sums[1] > 0);
  return 0;
}
