// Two threads of one entry, started by hand: with objects or numbers of their own they work on parts of their own, with the
// same object on the same part.
#include <pthread.h>
#include <stdio.h>

struct part {
  int first, last;
};

static int halves[64], numbered[64], both[64];

static void *fillHalf(void *given) {
  struct part *part = given;
  for (int i = part->first; i < part->last; ++i) halves[i] = i; // NORACE
  return NULL;
}

static void *fillNumbered(void *given) {
  long half = (long)given;
  for (long i = half * 32; i < (half + 1) * 32; ++i) numbered[i] = (int)i; // NORACE
  return NULL;
}

static void *fillBoth(void *given) {
  struct part *part = given;
  for (int i = part->first; i < part->last; ++i) both[i] = i; // RACE both SELF
  return NULL;
}

int main(void) {
  pthread_t threads[6];
  struct part left = {0, 32}, right = {32, 64};
  pthread_create(&threads[0], NULL, fillHalf, &left);
  pthread_create(&threads[1], NULL, fillHalf, &right);
  pthread_create(&threads[2], NULL, fillNumbered, (void *)0);
  pthread_create(&threads[3], NULL, fillNumbered, (void *)1);
  pthread_create(&threads[4], NULL, fillBoth, &left);
  pthread_create(&threads[5], NULL, fillBoth, &left);
  for (int i = 0; i < 6; ++i) pthread_join(threads[i], NULL);
  printf("%d %d %d\n", halves[3], numbered[40], both[5]);
  return 0;
}
