// VERBS check confirm
// SHOWN
// A report calls what it is given: who gives the start that locks gives the end that unlocks. Where a caller gives the same line with a
// start that does not lock, it races.
#include <pthread.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static int locked, alone, mixed;

static void lock_it(void) { pthread_mutex_lock(&gate); }
static void unlock_it(void) { pthread_mutex_unlock(&gate); }
static void start_alone(void) { alone = 1; } // NORACE
static void end_alone(void) { alone -= 1; }  // NORACE

static void add_locked(int line) {
  locked += line; // NORACE
}
static void add_alone(int line) {
  alone += line; // NORACE
}
static void add_mixed(int line) {
  mixed += line; // RACE mixed SELF
}

__attribute__((noinline)) static void report(void (*start)(void), void (*add)(int), void (*finish)(void)) {
  start();
  for (int i = 0; i < 3; ++i) add(i);
  finish();
}

static void *worker(void *unused) {
  (void)unused;
  report(lock_it, add_locked, unlock_it);
  report(lock_it, add_mixed, unlock_it);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, worker, NULL);
  report(start_alone, add_alone, end_alone);
  report(start_alone, add_mixed, end_alone);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return locked + alone + mixed < 0;
}
