// A function sorts one part in a thread of its own and the other one itself, and joins the thread before it returns. Threads that start and join
// others leave nobody behind.
#include <pthread.h>

struct range {
  int *numbers;
  int first, last;
};

static int splits, leaves;

static void swap(int *one, int *other) {
  int kept = *one;
  *one = *other; // NORACE
  *other = kept; // NORACE
}

static int split(int *numbers, int first, int last) {
  int place = first;
  for (int i = first; i < last; i++)
    if (numbers[i] < numbers[last]) swap(&numbers[place++], &numbers[i]); // NORACE
  swap(&numbers[place], &numbers[last]);
  return place;
}

static void *sort(void *argument) {
  struct range *range = argument;
  if (range->first >= range->last) return NULL;
  int middle = split(range->numbers, range->first, range->last);
  struct range left = {range->numbers, range->first, middle - 1}, right = {range->numbers, middle + 1, range->last};
  pthread_t thread;
  pthread_create(&thread, NULL, sort, &left);
  splits++; // RACE splits SELF
  sort(&right);
  pthread_join(thread, NULL);
  return NULL;
}

static void *count(void *unused) {
  leaves++; // RACE leaves SELF
  return unused;
}

static void *branch(void *unused) {
  pthread_t thread;
  pthread_create(&thread, NULL, count, NULL);
  pthread_join(thread, NULL);
  return unused;
}

int main(void) {
  int numbers[64];
  for (int i = 0; i < 64; i++) numbers[i] = (i * 37) % 64;
  struct range all = {numbers, 0, 63};
  sort(&all);
  pthread_t one, other;
  pthread_create(&one, NULL, branch, NULL);
  pthread_create(&other, NULL, branch, NULL);
  pthread_join(one, NULL);
  pthread_join(other, NULL);
  return numbers[0] + splits + leaves < 0; // NORACE
}
