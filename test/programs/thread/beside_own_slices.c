// VERBS check
// SHOWN
// Each thread has a part of an array. What it reads beside its own element belongs to the next part at the end.
#include <pthread.h>

enum { kCount = 24, kThreads = 3, kWidth = 4 };

struct part {
  int *values, *rows;
  int first, last;
};

static void *work(void *given) {
  struct part *part = given;
  for (int i = part->first; i < part->last; i++) {
    int next = part->values[i + 1]; // RACE next
    part->values[i] = next / 2;     // RACE next
  }
  for (int y = part->first; y < part->last; y++)
    for (int x = 0; x < kWidth; x++) {
      int below = part->rows[(y + 1) * kWidth + x]; // RACE below
      part->rows[y * kWidth + x] = below;           // RACE below
    }
  return NULL;
}

int main(void) {
  static int values[kCount + 1], rows[(kCount + 1) * kWidth];
  struct part parts[kThreads];
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; i++) {
    parts[i] = (struct part){values, rows, i * kCount / kThreads, (i + 1) * kCount / kThreads};
    pthread_create(&threads[i], NULL, work, &parts[i]);
  }
  for (int i = 0; i < kThreads; i++) pthread_join(threads[i], NULL);
  return 0;
}
