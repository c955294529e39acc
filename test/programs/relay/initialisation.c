// VERBS check confirm
// An object is filled in before anybody else can see it (RELAY, Fig. 8).
#include <pthread.h>
#include <stdlib.h>

struct connection {
  struct connection *next;
  int timeout;
  int family;
};

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static struct connection *all;

static int create_connection(struct connection **result) {
  struct connection *made = malloc(sizeof *made);
  if (!made) return -1;
  made->timeout = 30; // NORACE
  *result = made;
  return 0;
}

static void list_add(struct connection *made, struct connection **list) {
  made->next = *list; // NORACE under the lock
  *list = made;
}

static void *connect(void *unused) {
  struct connection *made;
  if (create_connection(&made) != 0) return NULL;
  made->family = 2; // NORACE not in the list yet
  pthread_mutex_lock(&gate);
  list_add(made, &all);
  pthread_mutex_unlock(&gate);
  return unused;
}

static void *age(void *unused) {
  pthread_mutex_lock(&gate);
  for (struct connection *each = all; each; each = each->next) each->timeout -= each->family; // NORACE
  pthread_mutex_unlock(&gate);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, connect, NULL);
  pthread_create(&threads[1], NULL, connect, NULL);
  pthread_create(&threads[2], NULL, age, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  return 0;
}
