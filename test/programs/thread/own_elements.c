// VERBS check run
// SHOWN
// Each thread gets a pointer to what all share and one to an element that the loop has chosen for it. Two loops that give the same elements to
// two functions do not give them to one thread each.
#include <pthread.h>
#include <stddef.h>

enum { kThreads = 3 };

struct job {
  const int *factor;
  double *sum;
};

static void *work(void *arg) {
  struct job *job = arg;
  *job->sum += *job->factor; // NORACE
  return NULL;
}

static void *add(void *arg) {
  struct job *job = arg;
  *job->sum += *job->factor; // RACE sum
  return NULL;
}

static void *scale(void *arg) {
  struct job *job = arg;
  *job->sum *= *job->factor; // RACE sum
  return NULL;
}

int main(void) {
  int factor = 3;
  double sums[kThreads] = {0}, shared[kThreads] = {0};
  struct job jobs[kThreads], others[kThreads];
  pthread_t threads[3 * kThreads];
  for (int i = 0; i < kThreads; ++i) {
    jobs[i].factor = &factor;
    jobs[i].sum = &sums[i];
    others[i].factor = &factor;
    others[i].sum = &shared[i];
  }
  for (int i = 0; i < kThreads; ++i) pthread_create(&threads[i], NULL, work, &jobs[i]);
  for (int i = 0; i < kThreads; ++i) pthread_create(&threads[kThreads + i], NULL, add, &others[i]);
  for (int i = 0; i < kThreads; ++i) pthread_create(&threads[2 * kThreads + i], NULL, scale, &others[i]);
  for (int i = 0; i < 3 * kThreads; ++i) pthread_join(threads[i], NULL);
  return sums[0] < 0;
}
