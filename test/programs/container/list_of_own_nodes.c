// VERBS run
// SHOWN
// Each thread prepares its own node and hangs it behind the last one, under the lock: the last one's owner prepared that before, and the head
// led here. The flag orders nothing.
#include <pthread.h>
#include <stdatomic.h>

struct node {
  struct node *next, *previous;
  int seen;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node head = {&head, &head, 0};
static struct node nodes[2];
static struct node *stack;
static struct node items[2];
static atomic_int turn;

static void add(struct node *list, struct node *node) {
  node->next = list;
  node->previous = list->previous;
  list->previous->next = node; // NORACE
  list->previous = node;
}

static struct node *take(void) {
  struct node *item = stack;
  stack = item->next; // NORACE
  return item;
}

static void *work(void *argument) {
  int self = *(int *)argument;
  while (atomic_load_explicit(&turn, memory_order_relaxed) != self) continue;
  nodes[self].next = nodes[self].previous = &nodes[self]; // NORACE
  pthread_mutex_lock(&lock);
  add(&head, &nodes[self]);
  pthread_mutex_unlock(&lock);
  if (self == 0) {
    items[0].next = &items[1]; // NORACE
    pthread_mutex_lock(&lock);
    stack = &items[0];
    pthread_mutex_unlock(&lock);
  } else {
    pthread_mutex_lock(&lock);
    struct node *item = take();
    pthread_mutex_unlock(&lock);
    item->seen = 1;
  }
  atomic_store_explicit(&turn, self + 1, memory_order_relaxed);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  int numbers[2] = {0, 1};
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, &numbers[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return head.next != &nodes[0];
}
