// VERBS check confirm
// A thread gets a record, of an array, a list or an allocation of its own, that main prepares before the start and reads after the join. Their
// handles are in the records, or in an array beside theirs.
#include <pthread.h>
#include <stdlib.h>

struct context {
  pthread_t thread;
  int size;
  long sum;
  struct context *next;
};

static int total;

static void *inRecord(void *argument) {
  struct context *own = argument;
  for (int i = 0; i < own->size; ++i) own->sum += i; // RACE early
  ++total;                                           // RACE total SELF
  return NULL;
}

static void *inList(void *argument) {
  struct context *own = argument;
  for (int i = 0; i < own->size; ++i) own->sum += i; // NORACE
  return NULL;
}

static void *beside(void *argument) {
  struct context *own = argument;
  for (int i = 0; i < own->size; ++i) own->sum += i; // NORACE
  return NULL;
}

static struct context contexts[4];

int main(int count, char **arguments) {
  (void)arguments;
  long sum = 0;
  for (int i = 0; i < 4; ++i) {
    contexts[i].size = count; // NORACE its thread has not begun
    pthread_create(&contexts[i].thread, NULL, inRecord, &contexts[i]);
    sum += contexts[i].sum; // RACE early
  }
  for (int i = 0; i < 4; ++i) {
    pthread_join(contexts[i].thread, NULL);
    sum += contexts[i].sum; // NORACE
  }

  struct context *all = NULL;
  for (int i = 0; i < count; ++i) {
    struct context *made = calloc(1, sizeof *made);
    made->size = i;
    made->next = all;
    all = made;
    pthread_create(&made->thread, NULL, inList, made);
  }
  for (struct context *each = all; each; each = each->next) {
    pthread_join(each->thread, NULL);
    sum += each->sum; // NORACE
  }

  pthread_t *threads = malloc(4 * sizeof *threads);
  struct context **records = malloc(4 * sizeof *records);
  for (int i = 0; i < 4; ++i) {
    records[i] = calloc(1, sizeof **records);
    records[i]->size = i;
    pthread_create(&threads[i], NULL, beside, records[i]);
  }
  for (int i = 0; i < 4; ++i) {
    pthread_join(threads[i], NULL);
    sum += records[i]->sum; // NORACE
  }
  return sum + total < 0; // NORACE
}
