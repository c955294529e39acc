// A semaphore that the program makes of a lock, a condition and a number: as a lock, and to hand something over.
#include <pthread.h>
#include <stdio.h>

struct semaphore {
  pthread_mutex_t lock;
  pthread_cond_t cond;
  int value;
  int waiters;
};

static void down(struct semaphore *semaphore) {
  pthread_mutex_lock(&semaphore->lock);
  while (!semaphore->value) {
    semaphore->waiters++;
    pthread_cond_wait(&semaphore->cond, &semaphore->lock);
    semaphore->waiters--;
  }
  semaphore->value--;
  pthread_mutex_unlock(&semaphore->lock);
}

static void up(struct semaphore *semaphore) {
  pthread_mutex_lock(&semaphore->lock);
  semaphore->value++;
  if (semaphore->waiters) pthread_cond_signal(&semaphore->cond);
  pthread_mutex_unlock(&semaphore->lock);
}

static struct semaphore gate = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 1, 0};
static struct semaphore filled = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0};
static long guarded, unguarded, message, late;

static void *work(void *unused) {
  for (int i = 0; i < 100; ++i) {
    down(&gate);
    guarded += 1; // NORACE
    up(&gate);
    unguarded += 1; // RACE unguarded SELF
  }
  return unused;
}

static void *receive(void *unused) {
  down(&filled);
  printf("%ld\n", message); // NORACE
  printf("%ld\n", late);    // RACE late
  return unused;
}

int main(void) {
  pthread_t workers[4], receiver;
  for (int i = 0; i < 4; ++i) pthread_create(&workers[i], NULL, work, NULL);
  pthread_create(&receiver, NULL, receive, NULL);
  message = 1; // NORACE
  up(&filled);
  late = 1; // RACE late
  for (int i = 0; i < 4; ++i) pthread_join(workers[i], NULL);
  pthread_join(receiver, NULL);
  return 0;
}
