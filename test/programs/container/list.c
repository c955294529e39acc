// VERBS check confirm
// Objects with locks of their own, found by walking a list of any length.
#include <pthread.h>
#include <stdlib.h>

struct node {
  struct node *next;
  pthread_mutex_t lock;
  int guarded;
  int bare;
};

static struct node *head;

static void *walk(void *unused) {
  for (struct node *each = head; each; each = each->next) {
    pthread_mutex_lock(&each->lock);
    each->guarded += 1; // NORACE its own lock
    pthread_mutex_unlock(&each->lock);
    each->bare += 1; // RACE bare SELF
  }
  return unused;
}

int main(void) {
  for (int i = 0; i < 3; ++i) {
    struct node *made = calloc(1, sizeof *made);
    pthread_mutex_init(&made->lock, NULL);
    made->next = head;
    head = made;
  }
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, walk, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
