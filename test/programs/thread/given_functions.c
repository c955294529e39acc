// VERBS check confirm
// SHOWN
// Who calls `each` executes the function that it gives, not those that others give; two that give the same one, one of them by
// another function that passes it on, both do.
#include <pthread.h>

static int by_main, by_worker, by_both, passed_on, chosen;

static void visit_for_main(int item) {
  by_main += item; // NORACE
}
static void visit_for_worker(int item) {
  by_worker += item; // NORACE
}
static void visit_for_both(int item) {
  by_both += item; // RACE both SELF
}
static void visit_passed_on(int item) {
  passed_on += item; // RACE passed SELF
}
static void visit_chosen(int item) {
  chosen += item; // RACE chosen SELF
}

__attribute__((noinline)) static void each(int count, void (*visit)(int)) {
  for (int i = 0; i < count; ++i) visit(i);
}

static void each_twice(int count, void (*visit)(int)) {
  each(count, visit);
  each(count, visit);
}

static void *worker(void *unused) {
  (void)unused;
  each(3, visit_for_worker);
  each(3, visit_for_both);
  each_twice(3, visit_passed_on);
  each(3, visit_chosen);
  return NULL;
}

int main(int count, char **arguments) {
  (void)arguments;
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  each(3, visit_for_main);
  each(3, visit_for_both);
  each(3, visit_passed_on);
  each(3, count > 5 ? visit_for_main : visit_chosen);
  pthread_join(thread, NULL);
  return by_main + by_worker + by_both + passed_on + chosen < 0;
}
