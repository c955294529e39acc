// VERBS check
// SHOWN
// Threads that nobody joins post a semaphore when they are done: who waits for all of them comes after them, who waits once after one.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

enum { kWorkers = 4 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t all_done, one_done;
static int total, early;
static int parts[kWorkers];

static void *work(void *arg) {
  int number = (int)(long)arg;
  parts[number] = number; // NORACE read when all are done
  pthread_mutex_lock(&lock);
  total += number; // NORACE likewise
  pthread_mutex_unlock(&lock);
  sem_post(&all_done);
  return NULL;
}

static void *hurry(void *arg) {
  pthread_mutex_lock(&lock);
  early++; // RACE early
  pthread_mutex_unlock(&lock);
  sem_post(&one_done);
  return arg;
}

static int first_of_two(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, hurry, NULL);
  pthread_create(&second, NULL, hurry, NULL);
  sem_wait(&one_done);
  int seen = early; // RACE early
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return seen;
}

int main(void) {
  sem_init(&all_done, 0, 0);
  sem_init(&one_done, 0, 0);
  for (int i = 0; i < kWorkers; i++) {
    pthread_t worker;
    pthread_create(&worker, NULL, work, (void *)(long)i);
    pthread_detach(worker);
  }
  for (int i = 0; i < kWorkers; i++) sem_wait(&all_done);
  printf("%d %d %d\n", total, parts[1], first_of_two()); // NORACE
  return 0;
}
