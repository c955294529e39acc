// SHOWN
// Elements that one thread chooses by a number it computes, and another names: the same ones, in a member, in a block and in an array of structs.
#include <pthread.h>
#include <stdlib.h>

struct pair {
  int left, right;
};
struct table {
  int count;
  int values[8];
  struct pair pairs[4];
};
static struct table shared;
static int *block;
static volatile int kept;

static void put(struct table *t, int i) {
  t->values[i & 7] = i;      // RACE member
  t->pairs[i & 3].right = i; // RACE right
}

static int get(struct table *t) {
  int sum = t->values[1];   // RACE member
  sum += t->pairs[2].right; // RACE right
  sum += t->pairs[2].left;  // NORACE another member of the struct
  return sum + t->count;    // NORACE
}

static void *write_all(void *argument) {
  for (int i = 0; i < 8; ++i) {
    put(argument, i);
    block[i] = i; // RACE block
  }
  return NULL;
}

static void *read_some(void *argument) {
  kept = get(argument);
  kept = block[2]; // RACE block
  return NULL;
}

int main(void) {
  block = calloc(8, sizeof *block);
  pthread_t one, two;
  pthread_create(&one, NULL, write_all, &shared);
  pthread_create(&two, NULL, read_some, &shared);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
