// VERBS check
// A server that joins whichever of its threads say that they have ended: the others go on. One that says that it runs is gone when it does not.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct child {
  pthread_t thread;
  volatile int done;
  struct child *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct child *children;
static long limit;  // read by all
static long served; // by all
static long total;  // when they have ended

static void *serve(void *data) {
  struct child *child = data;
  pthread_mutex_lock(&lock);
  served += limit; // RACE limit
  total += 1;      // NORACE
  pthread_mutex_unlock(&lock);
  child->done = 1; // RACE done
  return NULL;
}

// Leaves those that are at work.
static void collect(void) {
  struct child **at = &children;
  while (*at) {
    struct child *child = *at;
    if (child->done) { // RACE done
      pthread_join(child->thread, NULL);
      *at = child->next;
      free(child);
    } else {
      at = &child->next;
    }
  }
}

static void accept_all(int count) {
  for (int i = 0; i < count; ++i) {
    collect();
    if (i % 8 == 7) limit = i; // RACE limit
    struct child *child = calloc(1, sizeof *child);
    child->next = children;
    children = child;
    pthread_create(&child->thread, NULL, serve, child);
  }
}

struct printer {
  pthread_t thread;
  int running;
};

static struct printer printer;
static long pages;

static void *print(void *unused) {
  pages += 1;          // NORACE
  printer.running = 0; // RACE running
  return unused;
}

static long counted;

static void *count(void *unused) {
  counted += 1; // RACE each SELF // RACE counted
  return unused;
}

// A round is not over where an inner loop begins.
static void join_all(pthread_t *threads, int rounds) {
  for (int i = 0; i < 4; ++i) {
    for (int round = 0; round < rounds; ++round) counted += round; // RACE counted
    pthread_join(threads[i], NULL);
  }
  printf("%ld\n", counted); // NORACE
}

int main(int argc, char **argv) {
  (void)argv;
  accept_all(argc * 100);
  while (children) collect();
  printf("%ld\n", total); // NORACE all have ended
  printer.running = 1;
  pthread_create(&printer.thread, NULL, print, NULL);
  if (printer.running) pthread_join(printer.thread, NULL); // RACE running
  printf("%ld\n", pages);                                  // NORACE
  pthread_t counters[4];
  for (int i = 0; i < 4; ++i) pthread_create(&counters[i], NULL, count, NULL);
  join_all(counters, argc);
  return 0;
}
