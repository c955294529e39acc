// VERBS check
// SHOWN
// A semaphore that begins with 1 is a lock; one that begins with more lets several in at once.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t one, several;
static int guarded, crowded;

static void open_gate(sem_t *gate, unsigned places) { sem_init(gate, 0, places); }

static void *work(void *unused) {
  sem_wait(&one);
  guarded += 1; // NORACE
  sem_post(&one);
  sem_wait(&several);
  crowded += 1; // RACE crowded SELF
  sem_post(&several);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  open_gate(&one, 1);
  open_gate(&several, 2);
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  printf("%d %d\n", guarded, crowded);
  return 0;
}
