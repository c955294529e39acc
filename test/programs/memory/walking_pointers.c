// A pointer that each round of a loop moves on stays in the object where it began: one that nobody else knows yet, or a global one.
#include <pthread.h>
#include <stdlib.h>

struct table {
  int size;
  int rows[8];
};

static struct table *first, *second;
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static int shared[8];

static void clear(struct table *table) {
  table->size = 8;
  int *row = table->rows, *end = row + 8;
  do {
    *row = 0; // NORACE
    row += 1;
  } while (row != end);
}

static struct table *make(void) {
  struct table *table = malloc(sizeof *table);
  clear(table);
  return table;
}

static void fill(int number) {
  for (int *place = shared; place != shared + 8; ++place) *place = number; // RACE a SELF
}

static void *worker(void *mine) {
  struct table *made = make();
  pthread_mutex_lock(&gate);
  struct table **kept = mine;
  *kept = made;
  pthread_mutex_unlock(&gate);
  fill(made != NULL);
  return NULL;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, worker, &first);
  pthread_create(&two, NULL, worker, &second);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  free(first);
  free(second);
  return shared[0] < 0;
}
