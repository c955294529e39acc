// SHOWN
// SIGUSR1 is sent to the worker thread and its handler sets a sig_atomic_t flag; the flag is polled and cleared by another thread.
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct engine {
  pthread_mutex_t lock;
  unsigned long steps;
  unsigned long dumps;
};

static struct engine eng = {.lock = PTHREAD_MUTEX_INITIALIZER};
static volatile sig_atomic_t dump_wanted;
static atomic_bool quit;

static void on_usr1(int sig) {
  (void)sig;
  dump_wanted = 1; // RACE poll // RACE clear
}

static void *worker(void *arg) {
  struct engine *e = arg;

  while (!atomic_load(&quit)) {
    pthread_mutex_lock(&e->lock);
    e->steps++;
    pthread_mutex_unlock(&e->lock);
    usleep(200);
  }
  return NULL;
}

static void *dumper(void *arg) {
  struct engine *e = arg;

  while (!atomic_load(&quit)) {
    if (dump_wanted) { // RACE poll
      dump_wanted = 0; // RACE clear
      pthread_mutex_lock(&e->lock);
      e->dumps++;
      pthread_mutex_unlock(&e->lock);
    }
    usleep(300);
  }
  return NULL;
}

int main(void) {
  struct sigaction sa;
  pthread_t w, d;

  memset(&sa, 0, sizeof sa);
  sa.sa_handler = on_usr1;
  sa.sa_flags = SA_RESTART;
  sigemptyset(&sa.sa_mask);
  if (sigaction(SIGUSR1, &sa, NULL) != 0) return 1;

  pthread_create(&w, NULL, worker, &eng);
  pthread_create(&d, NULL, dumper, &eng);
  for (int i = 0; i < 5; i++) {
    usleep(3000);
    pthread_kill(w, SIGUSR1);
  }
  usleep(3000);
  atomic_store(&quit, 1);
  pthread_join(w, NULL);
  pthread_join(d, NULL);
  printf("steps %s, dumps %lu\n", eng.steps ? "yes" : "no", eng.dumps);
  return 0;
}
