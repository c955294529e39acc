// VERBS check confirm
// SHOWN
// With workers or alone: the same test says whether threads are started, joined, and whether main does the work itself. Where the
// variable is changed between, where another one is asked, or where the value is got anew, main may work beside them.
#include <pthread.h>
#include <stdlib.h>

static int workers, helpers, drones, wardens;
static int queue_length; // by a number on the stack
static int shelf;        // by a variable
static int crate;        // by one that is changed between the tests
static int barrel;       // by two that only look alike
static int basket;       // by one that is got anew in each round
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void locked_step(int *what) {
  pthread_mutex_lock(&gate);
  ++*what; // NORACE
  pthread_mutex_unlock(&gate);
}

static void *with_queue(void *unused) {
  (void)unused;
  locked_step(&queue_length);
  return NULL;
}
static void *with_shelf(void *unused) {
  (void)unused;
  locked_step(&shelf);
  return NULL;
}
static void *with_crate(void *unused) {
  (void)unused;
  ++crate; // RACE crate
  return NULL;
}
static void *with_barrel(void *unused) {
  (void)unused;
  ++barrel; // RACE barrel
  return NULL;
}
static void *with_basket(void *unused) {
  (void)unused;
  ++basket; // RACE basket // RACE baskets SELF
  return NULL;
}

static void by_number(int count) {
  pthread_t threads[4];
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 4; ++i)
      if (count > 0) pthread_create(&threads[i], NULL, with_queue, NULL);
    if (count > 0)
      for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
    else
      ++queue_length; // NORACE
  }
}

static void by_variable(void) {
  pthread_t threads[2];
  if (workers)
    for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, with_shelf, NULL);
  if (!workers) shelf = 7; // NORACE
  if (workers)
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}

static void give_up(void) { helpers = 0; }

static void by_changed_variable(void) {
  pthread_t thread;
  int started = helpers;
  if (helpers) pthread_create(&thread, NULL, with_crate, NULL);
  give_up();
  if (!helpers) ++crate; // RACE crate
  if (started) pthread_join(thread, NULL);
}

static void by_another(void) {
  pthread_t thread;
  int started = drones;
  if (drones) pthread_create(&thread, NULL, with_barrel, NULL);
  if (!wardens) ++barrel; // RACE barrel
  if (started) pthread_join(thread, NULL);
}

static void by_rounds(void) {
  pthread_t threads[2];
  for (int round = 0; round < 3; ++round) {
    int wanted = atoi(round < 2 ? "1" : "0");
    if (wanted) pthread_create(&threads[round], NULL, with_basket, NULL);
    if (!wanted) ++basket; // RACE basket
  }
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}

int main(int count, char **arguments) {
  (void)arguments;
  workers = helpers = drones = count;
  by_number(count - 1);
  by_variable();
  by_changed_variable();
  by_another();
  by_rounds();
  return queue_length + shelf + crate + barrel + basket < 0;
}
