// VERBS check
// Whoever joins a thread comes after it, also if another one has started it: main too, which has told its handle.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_t main_thread, reader;
static long blocks;  // of main
static long lines;   // of the reader
static long signals; // told while all are at work
static long written; // by main, and by the undoer before it has joined main

static void *read_lines(void *unused) {
  for (int i = 0; i < 100; ++i) lines += i; // NORACE
  signals += 1;                             // RACE early
  return unused;
}

static void restore(void) {
  blocks = 0; // NORACE main was joined
  lines = 0;  // NORACE
}

static void *undo(void *unused) {
  signals = 0; // RACE early
  written = 0; // RACE written
  pthread_cancel(reader);
  pthread_join(reader, NULL);
  pthread_cancel(main_thread);
  pthread_join(main_thread, NULL);
  restore();
  printf("%ld\n", written); // NORACE
  exit(1);
  return unused;
}

int main(void) {
  main_thread = pthread_self();
  pthread_t undoer;
  pthread_create(&reader, NULL, read_lines, NULL);
  pthread_create(&undoer, NULL, undo, NULL);
  for (;;) {
    blocks += 1;  // NORACE
    written += 1; // RACE written
    sleep(1);
  }
}
