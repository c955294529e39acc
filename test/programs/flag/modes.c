// VERBS check confirm
// ARGS read
// Who has found one value in a variable that it never writes does not do what belongs to another one.
#include <pthread.h>
#include <stdlib.h>

enum { IDLE, READING, WRITING };

static int operation;
static long served, asked, told, counted, lost;

static void answer(void) { served += 1; } // NORACE only the first thread answers

static void handle(void) {
  asked += 1; // RACE asked
  if (operation != IDLE) return;
  answer();
}

static void close_all(int now) {
  if (now) lost += 1; // NORACE workers never ask for that
  told += 1;          // RACE told SELF // RACE main_tells
}

static void each(int count, void (*visit)(void)) {
  for (int i = 0; i < count; ++i)
    if (visit) visit();
}

static void count(void) { counted += 1; } // NORACE only the first thread hands it over

static void *worker(void *unused) {
  (void)unused;
  if (operation != READING) return NULL;
  handle();
  close_all(0);
  each(3, NULL);
  return NULL;
}

int main(int argc, char **argv) {
  (void)argv;
  operation = argc > 1 ? READING : WRITING;
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  asked += 2;   // RACE asked
  served += 2;  // NORACE
  told += 2;    // RACE main_tells
  lost += 2;    // NORACE
  counted += 2; // NORACE
  close_all(1);
  each(2, count);
  pthread_join(thread, NULL);
  return (int)(served + asked + told + counted + lost);
}
