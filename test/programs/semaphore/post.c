// A post orders what came before it, and nothing that comes after.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t ready;
static int message;
static int afterthought;

static void *receive(void *unused) {
  sem_wait(&ready);
  int seen = message;   // NORACE
  afterthought += seen; // RACE late
  return unused;
}

int main(void) {
  pthread_t thread;
  sem_init(&ready, 0, 0);
  pthread_create(&thread, NULL, receive, NULL);
  message = 1; // NORACE
  sem_post(&ready);
  afterthought = 2; // RACE late
  pthread_join(thread, NULL);
  printf("%d\n", message); // NORACE
  return 0;
}
