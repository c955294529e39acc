// VERBS check run
// A lock that is taken again, by its name, in a function that returns one of two places: the object of one of them is the lock's, and does not
// come back locked.
#include <pthread.h>

struct tree {
  pthread_mutex_t lock;
  int *root;
  int size;
};

static struct tree tree;
static int *other;
static int value;

static int **place(struct tree *t) {
  pthread_mutex_lock(&t->lock);
  int **found = t->size ? &t->root : &other;
  pthread_mutex_unlock(&t->lock);
  return found;
}

static void add(struct tree *t) {
  pthread_mutex_lock(&t->lock);
  int **free = place(t);
  if (!*free) {
    *free = &value; // NORACE
    t->size++;      // NORACE
  }
  pthread_mutex_unlock(&t->lock);
}

// It has given the lock back when it returns.
static void change(struct tree *t) {
  int **free = place(t);
  *free = &value; // RACE after SELF
}

static void *work(void *unused) {
  add(&tree);
  return unused;
}

static struct tree second;

static void *spoil(void *unused) {
  change(&second);
  return unused;
}

int main(void) {
  pthread_t a, b, c, d;
  pthread_mutexattr_t recursive;
  pthread_mutexattr_init(&recursive);
  pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&tree.lock, &recursive);
  pthread_mutex_init(&second.lock, &recursive);
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  second.size = 1; // NORACE
  pthread_create(&c, NULL, spoil, NULL);
  pthread_create(&d, NULL, spoil, NULL);
  pthread_join(c, NULL);
  pthread_join(d, NULL);
  return tree.size != 2;
}
