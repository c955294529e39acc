// VERBS check
// SHOWN
// Who leaves a loop early gives the lock back first, and does not come to what follows the loop: the compiler leads both ways through one
// place, with a number that says which it was.
#include <pthread.h>
#include <stddef.h>

enum { kSlots = 8 };

struct slot {
  long since;
  int value;
};

static struct pool {
  pthread_mutex_t mutex;
  size_t used, missed, kept;
  struct slot slots[kSlots];
} pool = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static void fill(struct pool *into, size_t at, int value) {
  into->slots[at].since = value + 1; // NORACE
  into->slots[at].value = value;     // NORACE
  into->used++;                      // NORACE
}

static int put(struct pool *into, int value) {
  long oldest = 0;
  size_t at = 0;
  pthread_mutex_lock(&into->mutex);
  for (size_t i = 0; i < kSlots; i++) {
    long since = into->slots[i].since; // NORACE
    if (since == 0) {
      fill(into, i, value);
      pthread_mutex_unlock(&into->mutex);
      into->missed++; // RACE missed SELF
      return -1;
    }
    if (oldest == 0 || since < oldest) {
      oldest = since;
      at = i;
    }
  }
  int old = into->slots[at].value; // NORACE
  fill(into, at, value);
  pthread_mutex_unlock(&into->mutex);
  return old;
}

// Three ways lead out of the loop.
static int find(struct pool *in, int value) {
  pthread_mutex_lock(&in->mutex);
  for (size_t i = 0; i < kSlots; i++) {
    long since = in->slots[i].since; // NORACE
    if (since == 0) {
      pthread_mutex_unlock(&in->mutex);
      return -1;
    }
    if (in->slots[i].value == value) break; // NORACE
  }
  in->used++; // NORACE
  pthread_mutex_unlock(&in->mutex);
  in->kept++; // RACE kept SELF
  return value;
}

static void *work(void *unused) {
  (void)unused;
  for (int i = 0; i < 20; i++) find(&pool, put(&pool, i));
  return NULL;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, work, NULL);
  pthread_create(&second, NULL, work, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return (int)pool.used;
}
