// VERBS check confirm
// A struct that is copied as a whole is read, or written, in all its members: also in those of the structs inside, and in no others.
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct range {
  long from, to;
};

struct job {
  long state, count;
  struct range range;
  char name[32], owner[32];
};

struct other {
  long before, mark;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int steps;
static char *memory;
static struct job kept, latest;

// Seven bytes at a time: where in memory it ends up, only its type tells.
static char *any(void) {
  char *byte = memory;
  for (int i = 0; i < steps; ++i) byte += i % 2 ? 7 : -7;
  return byte;
}

static struct job *job(void) { return (struct job *)any(); }
static struct other *other(void) { return (struct other *)(any() + 2 * sizeof(struct job)); }

static void *worker(void *unused) {
  pthread_mutex_lock(&lock);
  job()->state = 1;        // RACE whole // RACE cleared
  job()->range.to = 2;     // RACE inside
  job()->owner[steps] = 1; // RACE array
  kept.count = 1;          // NORACE
  pthread_mutex_unlock(&lock);
  other()->mark = 1; // NORACE
  return unused;
}

static void *observer(void *unused) {
  latest = *job(); // RACE whole // RACE inside // RACE array // RACE first // RACE name
  pthread_mutex_lock(&lock);
  kept = latest; // NORACE
  pthread_mutex_unlock(&lock);
  return unused;
}

static void *cleaner(void *unused) {
  memset(&job()->state, 0, sizeof job()->state); // RACE cleared // RACE first
  memset(job()->name, 0, sizeof job()->name);    // RACE name
  return unused;
}

int main(void) {
  memory = calloc(4, sizeof(struct job));
  pthread_t threads[3];
  pthread_create(&threads[0], 0, worker, 0);
  pthread_create(&threads[1], 0, observer, 0);
  pthread_create(&threads[2], 0, cleaner, 0);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  return latest.state + kept.state == 7;
}
