// VERBS run
// What is taken from under a lock by a read and a write that are told as one was handed over all the same.
#include <pthread.h>
#include <stdlib.h>

struct item {
  int weight;
};

struct item *head;
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void *give(void *unused) {
  struct item *item = malloc(sizeof(struct item));
  item->weight = 3; // NORACE
  pthread_mutex_lock(&gate);
  head = item;
  pthread_mutex_unlock(&gate);
  return unused;
}

static struct item *take(void) {
  pthread_mutex_lock(&gate);
  struct item *item = head;
  head = NULL;
  pthread_mutex_unlock(&gate);
  return item;
}

int main(void) {
  pthread_t giver;
  pthread_create(&giver, NULL, give, NULL);
  struct item *item;
  do
    item = take();
  while (item == NULL);
  item->weight += 1; // NORACE
  pthread_join(giver, NULL);
  return item->weight != 4;
}
