// VERBS check
// SHOWN
// Who posts a semaphore in rounds and waits for nobody writes the next value while the last one is read.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

enum { kRounds = 20 };

struct message {
  int number;
};

static sem_t filled, asked, answered, counted;
static int value, answer, total;
static struct message *box;
static int squares[kRounds];

static void *produce(void *arg) {
  struct message *message = malloc(sizeof *message);
  if (!message) abort();
  box = message; // NORACE set before the first post
  for (int i = 0; i < kRounds; i++) {
    value = i;           // RACE value
    message->number = i; // RACE number
    squares[i] = i * i;  // NORACE another one in each round
    sem_post(&filled);
  }
  return arg;
}

static void *consume(void *arg) {
  long sum = 0;
  for (int i = 0; i < kRounds; i++) {
    sem_wait(&filled);
    sum += value;       // RACE value
    sum += box->number; // RACE number
    sum += squares[i];  // NORACE
  }
  *(long *)arg = sum;
  return NULL;
}

static void *reply(void *arg) {
  for (int i = 0; i < kRounds; i++) {
    sem_wait(&asked);
    answer = i; // NORACE it waits for who has read the last one
    sem_post(&answered);
    total += i; // NORACE read when all rounds are over
    sem_post(&counted);
  }
  return arg;
}

static long ask(void) {
  long sum = 0;
  for (int i = 0; i < kRounds; i++) {
    sem_post(&asked);
    sem_wait(&answered);
    sum += answer; // NORACE
  }
  for (int i = 0; i < kRounds; i++) sem_wait(&counted);
  return sum + total; // NORACE
}

int main(void) {
  pthread_t producer, consumer, replier;
  long sum = 0;
  sem_init(&filled, 0, 0);
  sem_init(&asked, 0, 0);
  sem_init(&answered, 0, 0);
  sem_init(&counted, 0, 0);
  pthread_create(&producer, NULL, produce, NULL);
  pthread_create(&consumer, NULL, consume, &sum);
  pthread_create(&replier, NULL, reply, NULL);
  long asking = ask();
  pthread_join(producer, NULL);
  pthread_join(consumer, NULL);
  pthread_join(replier, NULL);
  free(box);
  printf("%ld\n", sum + asking);
  return 0;
}
