// VERBS run
// Two counts in eight bytes: who loads both at once comes after whoever has stored one of them, as the library does with the counts of a shared pointer.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

static _Alignas(8) struct {
  int32_t uses, watchers;
} counts = {1, 1};
static int content, passed;

static void *watch(void *unused) {
  content = 1; // NORACE
  __atomic_sub_fetch(&counts.watchers, 1, __ATOMIC_ACQ_REL);
  passed = 1; // RACE passed
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, watch, NULL);
  while (__atomic_load_n((int64_t *)&counts, __ATOMIC_ACQUIRE) != 1) {
  }
  content = 2;                       // NORACE
  const int is_passed = passed;      // RACE passed
  counts.uses = counts.watchers = 0; // NORACE
  pthread_join(thread, NULL);
  printf("%d\n", content + 2 * is_passed);
  return 0;
}
