// VERBS run
// SHOWN
// Who finds the buffer full looks at no other. The thread that empties it has put another in its place before, under the lock, so nobody
// looks at it any more. The flag orders nothing; the second buffer is emptied though it is in use.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct buffer {
  int used;
} buffers[2] = {{9}, {9}}, *active = &buffers[0];
static int spare = 9;
static atomic_int turn;

static void *look(void *full) {
  pthread_mutex_lock(&lock);
  *(int *)full = active->used == 9; // NORACE
  *(int *)full += spare == 9;       // RACE spare
  pthread_mutex_unlock(&lock);
  atomic_store_explicit(&turn, 1, memory_order_relaxed);
  return NULL;
}

static void *empty(void *unused) {
  while (atomic_load_explicit(&turn, memory_order_relaxed) == 0) continue;
  spare = 0; // RACE spare
  pthread_mutex_lock(&lock);
  struct buffer *full = active;
  active = &buffers[1];
  pthread_mutex_unlock(&lock);
  full->used = 0; // NORACE
  return unused;
}

int main(void) {
  pthread_t looks, empties;
  int full;
  pthread_create(&looks, NULL, look, &full);
  pthread_create(&empties, NULL, empty, NULL);
  pthread_join(looks, NULL);
  pthread_join(empties, NULL);
  return full == 7;
}
