// VERBS check confirm
// Two members of one struct are two places, however the objects are mixed up; members of a union are one.
#include <pthread.h>
#include <stdlib.h>

struct node {
  long written, read;
  union {
    long whole;
    int half;
  };
};

static struct node *list;
static long sink;

static volatile int steps;

// Seven bytes at a time: where in a node it ends up, only its type tells.
static struct node *any(void) {
  char *byte = (char *)list;
  for (int i = 0; i < steps; ++i) byte += i % 2 ? 7 : -7;
  return (struct node *)byte;
}

static void *writer(void *unused) {
  any()->written = 1; // NORACE
  any()->whole = 1;   // RACE union
  return unused;
}

static void *reader(void *unused) {
  sink = any()->read; // NORACE
  sink = any()->half; // RACE union
  return unused;
}

int main(void) {
  list = calloc(8, sizeof *list);
  pthread_t one, two;
  pthread_create(&one, 0, writer, 0);
  pthread_create(&two, 0, reader, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return sink == 7;
}
