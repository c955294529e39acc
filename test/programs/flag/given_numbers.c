// VERBS check confirm
// FLAGS -O0
// One function sets many things, by the number that it is given: what no caller in the program asks for is not done. Beside it is one of which a
// caller does not say which.
#include <pthread.h>
#include <stdlib.h>

enum { kSize, kMode, kLimit };

static int size, mode, limit, depth, width;

static void control(int what, int value) {
  switch (what) {
  case kSize: size = value; break; // RACE size SELF
  case kMode: mode = value; break; // NORACE nobody asks for it
  case kLimit: limit = value; break;
  }
}

static void choose(int what, int value) {
  switch (what) {
  case kSize: depth = value; break; // RACE depth SELF
  case kMode: width = value; break; // RACE width SELF
  }
}

static void *work(void *argument) {
  control(kSize, 3);
  choose(kSize, 3);
  choose(getenv("PATH") ? kMode : kSize, 4);
  return argument;
}

int main(void) {
  pthread_t threads[2];
  control(kLimit, 5);
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return size + mode + limit + depth + width < 0;
}
