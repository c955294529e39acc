// Elements of global arrays that a thread chooses by its own number, in functions that it calls: by the number itself, by
// what it was started with, and under a lock of the same number. Main uses one of them by a constant.
#include <pthread.h>
#include <stdio.h>

enum { kCount = 3 };

struct job {
  int number;
};

static long sums[kCount];
static long others[kCount];
static long halves[2];
static long queues[kCount];
static long loose[kCount];
static pthread_mutex_t locks[kCount];

static void addTo(int number, long value) { sums[number] += value; }             // NORACE
static void addOf(struct job *job, long value) { others[job->number] += value; } // NORACE
static void addHalf(int number, long value) { halves[number & 1] += value; }     // RACE halves SELF
static void addLoose(int number, long value) { loose[number] += value; }         // RACE loose SELF

static void push(int number, long value) {
  pthread_mutex_lock(&locks[number]);
  queues[number] += value; // NORACE
  pthread_mutex_unlock(&locks[number]);
}

static void *work(void *given) {
  struct job *job = given;
  for (int i = 0; i < 50; ++i) {
    addTo(job->number, i);
    addOf(job, i);
    addHalf(i, job->number);
    addLoose(i % kCount, 1);
    push(job->number, i);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[kCount];
  struct job jobs[kCount];
  for (int i = 0; i < kCount; ++i) pthread_mutex_init(&locks[i], NULL);
  for (int i = 0; i < kCount; ++i) {
    jobs[i].number = i;
    pthread_create(&threads[i], NULL, work, &jobs[i]);
  }
  push(1, 5);
  for (int i = 0; i < kCount; ++i) pthread_join(threads[i], NULL);
  long sum = halves[0] + halves[1];
  for (int i = 0; i < kCount; ++i) sum += sums[i] + others[i] + queues[i] + loose[i];
  printf("%ld\n", sum);
  return 0;
}
