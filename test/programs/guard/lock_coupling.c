// A walk over a list that holds the lock of one node until it has that of the next: the lock goes with the pointer.
#include <pthread.h>
#include <stdlib.h>

struct node {
  int key, uses;
  struct node *next;
  pthread_mutex_t lock;
};
static struct node head = {-1, 0, NULL, PTHREAD_MUTEX_INITIALIZER};

static struct node *node_new(int key, struct node *next) {
  struct node *node = calloc(1, sizeof *node);
  node->key = key;   // NORACE
  node->next = next; // NORACE
  pthread_mutex_init(&node->lock, NULL);
  return node;
}

static void insert(int key) {
  struct node *prev = &head, *cur;
  pthread_mutex_lock(&prev->lock);
  while ((cur = prev->next) != NULL) { // NORACE
    pthread_mutex_lock(&cur->lock);
    if (cur->key >= key) { // NORACE
      pthread_mutex_unlock(&cur->lock);
      break;
    }
    pthread_mutex_unlock(&prev->lock);
    prev = cur;
  }
  prev->next = node_new(key, cur); // NORACE
  pthread_mutex_unlock(&prev->lock);
  prev->uses++; // RACE uses SELF
}

static int has(int key) {
  struct node *prev = &head;
  int found = 0;
  pthread_mutex_lock(&prev->lock);
  while (prev->next && !found) { // NORACE
    struct node *cur = prev->next;
    pthread_mutex_lock(&cur->lock);
    pthread_mutex_unlock(&prev->lock);
    found = cur->key == key; // NORACE
    prev = cur;
  }
  pthread_mutex_unlock(&prev->lock);
  return found;
}

static void *fill(void *argument) {
  for (int i = 0; i < 6; ++i) insert((int)(long)argument + 2 * i);
  return NULL;
}

static void *seek(void *unused) {
  for (int i = 0; i < 6; ++i) has(i);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, fill, (void *)0);
  pthread_create(&threads[1], NULL, fill, (void *)1);
  pthread_create(&threads[2], NULL, seek, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  return 0;
}
