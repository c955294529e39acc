// SHOWN
// Members of a union are the same bytes, also where one is an array; members of a struct beside it are not.
#include <pthread.h>

struct packet {
  union {
    int whole;
    unsigned char part[4];
  } u;
  int size;
  int counts[4];
};
static struct packet shared;
static volatile int kept;

static void fill(struct packet *p, int i) {
  p->u.whole = i; // RACE union
  p->size = i;    // NORACE
}

static int first_of(struct packet *p) {
  int sum = p->u.part[1]; // RACE union
  return sum + p->counts[1]; // NORACE
}

static void *write_all(void *argument) {
  for (int i = 0; i < 4; ++i) fill(argument, i);
  return NULL;
}

static void *read_some(void *argument) {
  kept = first_of(argument);
  return NULL;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, write_all, &shared);
  pthread_create(&two, NULL, read_some, &shared);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
