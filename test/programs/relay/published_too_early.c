// VERBS check confirm
// The same as initialisation.c, but the object is shown to others first.
#include <pthread.h>
#include <stdlib.h>

struct connection {
  struct connection *next;
  int family;
};

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static struct connection *all;

static void *connect(void *unused) {
  struct connection *made = calloc(1, sizeof *made);
  if (!made) return NULL;
  pthread_mutex_lock(&gate);
  made->next = all; // NORACE
  all = made;
  pthread_mutex_unlock(&gate);
  made->family = 2; // RACE family
  return unused;
}

static void *age(void *unused) {
  int sum = 0;
  pthread_mutex_lock(&gate);
  for (struct connection *each = all; each; each = each->next) sum += each->family; // RACE family
  pthread_mutex_unlock(&gate);
  return sum > 9 ? unused : NULL;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, connect, NULL);
  pthread_create(&threads[1], NULL, age, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
