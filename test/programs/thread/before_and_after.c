// VERBS check confirm
// What main does before the first thread starts and after all have ended, it does alone; what it does between, not.
#include <pthread.h>
#include <stdio.h>

static int setting;
static int level;
static int result;

static void prepare(void) {
  setting = 1; // NORACE
  level = 1;   // NORACE
}

static void *work(void *unused) {
  result += setting; // RACE result
  result += level;   // RACE later
  return unused;
}

int main(void) {
  prepare();
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  result += 1; // RACE result later
  pthread_join(thread, NULL);
  level = 2;              // NORACE
  printf("%d\n", result); // NORACE
  return 0;
}
