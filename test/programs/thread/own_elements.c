// VERBS check confirm
// Each thread has a number, and by it an element of each table for itself.
#include <pthread.h>
#include <stdlib.h>

struct list {
  int length;
  int *items;
};

static struct list *lists[4];
static int hits[4];
static int total[4];
static __thread int number;
static __thread struct list *mine;

static void empty(struct list *list) { list->length = 0; } // NORACE each its own

static void count(void) { hits[number] += 1; } // NORACE by the thread-local number

static void clear(void) { mine->length = 0; } // NORACE by the thread-local pointer

static void *work(void *argument) {
  long id = (long)argument;
  number = (int)id;
  mine = lists[id];
  empty(lists[id]);
  count();
  clear();
  total[0] += 1; // RACE total SELF
  return NULL;
}

int main(void) {
  pthread_t threads[4];
  for (long i = 0; i < 4; ++i) lists[i] = calloc(1, sizeof(struct list));
  for (long i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, work, (void *)i);
  for (long i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
  return total[0];
}
