// What only the thread with a certain number does has no other one beside it: the number is what it was started with, or
// stands in there. What all of one kind do, has.
#include <pthread.h>
#include <stdio.h>

enum { kCount = 4 };

struct job {
  int kind;
  int number;
};

static long first, second, third, odd, later;

static void report(int number) {
  if (number == 1) second += 1; // NORACE
}

static void *byNumber(void *given) {
  int number = (int)(long)given;
  if (number == 0) first += 1; // NORACE
  report(number);
  if (number != 0) later += 1; // RACE later SELF
  return NULL;
}

static void count(struct job *job) {
  if (job->number == 2) third += 1; // NORACE
  if (job->kind == 1) odd += 1;     // RACE odd SELF
}

static void *byJob(void *given) {
  count(given);
  return NULL;
}

int main(void) {
  pthread_t threads[kCount];
  struct job jobs[kCount];
  for (long i = 0; i < kCount; ++i) pthread_create(&threads[i], NULL, byNumber, (void *)i);
  for (int i = 0; i < kCount; ++i) pthread_join(threads[i], NULL);
  for (int i = 0; i < kCount; ++i) {
    jobs[i].kind = i % 2;
    jobs[i].number = i;
    pthread_create(&threads[i], NULL, byJob, &jobs[i]);
  }
  for (int i = 0; i < kCount; ++i) pthread_join(threads[i], NULL);
  printf("%ld\n", first + second + third + odd + later);
  return 0;
}
