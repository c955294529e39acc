// VERBS check confirm
// A thread that is started once, by a creator that waits until it has begun (RELAY, Fig. 10).
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

enum { kNone, kMaster };

static int state; // who writes it is alone each time
static int maximum;
static sem_t startup;

static void *sync_thread(void *unused) {
  state = kMaster; // NORACE the creator waits, and starts no second one
  maximum = state * 100;
  sem_post(&startup);
  return unused;
}

static int start_sync_thread(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, sync_thread, NULL) != 0) return -1;
  sem_wait(&startup);
  pthread_detach(thread);
  return state + maximum; // NORACE posted after it was written
}

int main(void) {
  sem_init(&startup, 0, 0);
  return start_sync_thread() < 0;
}
