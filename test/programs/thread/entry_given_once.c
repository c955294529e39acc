// VERBS check
// SHOWN
// A thread's entry is given to the library and to nobody else: a call through a member, into which code of others may have put anything,
// does not reach it.
#include <pthread.h>
#include <stdlib.h>

struct source {
  void *(*get)(struct source *source);
  int value;
};

static int rounds, reads, shared;
static pthread_t turner;

// Nobody in the program calls it: a plugin may.
void setSource(struct source *source, void *(*get)(struct source *)) { source->get = get; }

static void *readValue(struct source *source) {
  reads++; // NORACE
  shared++; // RACE shared
  return &source->value;
}

static void *turn(struct source *source) {
  for (int i = 0; i < 3; i++) {
    rounds++; // NORACE
    shared++; // RACE shared
  }
  return source;
}

static struct source *makeSource(int value) {
  struct source *made = malloc(sizeof(*made));
  made->get = readValue;
  made->value = value;
  return made;
}

int main(void) {
  struct source *source = makeSource(1);
  pthread_create(&turner, NULL, (void *(*)(void *))turn, source);
  int sum = *(int *)source->get(source);
  pthread_join(turner, NULL);
  return sum + rounds + reads + shared;
}
