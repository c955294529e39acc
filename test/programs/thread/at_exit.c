// VERBS check confirm
// What is registered for the end runs when main has ended, mostly with its threads. What it shares with main is looked at all the same.
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;
static int running;
static int *table;
static int total;

static void tell(void) { total += 1; } // RACE total

static void clean_up(void) {
  free(table);
  table = NULL; // NORACE mostly
  tell();
}

static void *work(void *unused) {
  table[0] += 1; // RACE table SELF
  total += 2;    // RACE total // RACE both SELF
  pthread_mutex_lock(&lock);
  running -= 1;
  pthread_cond_signal(&ended);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  table = calloc(4, sizeof *table); // NORACE
  atexit(clean_up);
  running = 2;
  for (int i = 0; i < 2; ++i) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, work, NULL) == 0) pthread_detach(thread);
  }
  tell();
  pthread_mutex_lock(&lock);
  while (running > 0) pthread_cond_wait(&ended, &lock);
  pthread_mutex_unlock(&lock);
  return 0;
}
