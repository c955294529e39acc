// VERBS check confirm
// FLAGS -O0
// A thread that finds something wrong tells everything and ends the program: what it reads then does not matter.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int requests;
static int mood;
static int ended;

static void print_all(void) { printf("%d requests\n", requests); } // NORACE the program ends here

static void __attribute__((noreturn)) panic(const char *why) {
  puts(why);
  print_all();
  abort();
}

static void __attribute__((noreturn)) leave(void) {
  ended += 1; // RACE ended SELF
  pthread_exit(NULL);
}

static void __attribute__((noreturn)) go_round(void) {
  for (;;) mood += 1; // RACE mood
}

static void *work(void *argument) {
  if (!argument) panic("no argument");
  if (*(int *)argument == 2) leave();
  return argument;
}

static void *brood(void *unused) {
  (void)unused;
  go_round();
}

int main(void) {
  pthread_t threads[4];
  int numbers[3] = {1, 2, 2};
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, work, &numbers[i]);
  pthread_create(&threads[3], NULL, brood, NULL);
  requests += 1; // NORACE
  if (mood > 7)  // RACE mood
    return 1;
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  return 0;
}
