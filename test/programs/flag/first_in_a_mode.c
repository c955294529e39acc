// VERBS check
// Main has written to the log before it starts threads: what the first line of the log makes was made then, or is never asked for, as
// a mode says. It may be that somebody changes the mode later, or comes there without asking for it.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int quiet, to_console, changed;
static long start_time, opened, direct, when_changed;

static long now(void) { return rand() + 1; }

static long log_time(void) {
  if (!start_time)      // NORACE
    start_time = now(); // NORACE
  return start_time;
}

static void open_log(void) {
  if (!opened) opened = now(); // NORACE
}

static void open_direct(void) {
  if (!direct) direct = now(); // RACE direct SELF
}

static void open_changed(void) {
  if (!when_changed) when_changed = now(); // RACE changed SELF
}

static void say(const char *what) {
  if (!quiet) printf("%ld: %s\n", log_time(), what);
  if (to_console) {
    puts(what);
  } else {
    open_log();
    open_direct();
  }
  if (changed) open_changed(); // RACE mode
}

static void *work(void *unused) {
  say("a thread");
  open_direct();
  changed = 1; // RACE mode // RACE modes SELF
  return unused;
}

int main(int argc, char **argv) {
  quiet = argc > 2;
  to_console = argc > 1 && argv[1][0] == '-';
  say("the first line");
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
