// VERBS check run
// Each thread has a part of an array, and stays within it though it computes with its numbers.
#include <pthread.h>

enum { kCount = 24, kThreads = 3 };

struct part {
  int *pairs, *sums, *ends, *from;
  int first, last;
};

static void *work(void *given) {
  struct part *part = given;
  for (int i = part->first; i < part->last; i++) {
    int left = part->pairs[i * 2];               // NORACE
    part->pairs[i * 2] = part->pairs[i * 2 + 1]; // NORACE
    part->pairs[i * 2 + 1] = left;               // NORACE
  }
  for (int i = part->first + 1; i < part->last; i++) part->sums[i] += part->sums[i - 1]; // NORACE
  for (int i = part->first; i < part->last; i++) part->ends[i + 1] = part->from[i];      // NORACE
  return NULL;
}

int main(void) {
  static int pairs[kCount * 2], sums[kCount], ends[kCount + 1], from[kCount];
  struct part parts[kThreads];
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; i++) {
    parts[i] = (struct part){pairs, sums, ends, from, i * kCount / kThreads, (i + 1) * kCount / kThreads};
    pthread_create(&threads[i], NULL, work, &parts[i]);
  }
  for (int i = 0; i < kThreads; i++) pthread_join(threads[i], NULL);
  return 0;
}
