// VERBS check run
// SHOWN
// A free list: who asks gets a block that was taken out of it, or a new one. Who gets the first one without taking it out has it with others.
#include <pthread.h>
#include <stdlib.h>

struct block {
  struct block *next;
  int mine, everybodys;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct block *head;

static struct block *take(void) {
  pthread_mutex_lock(&lock);
  if (head) {
    struct block *block = head;
    head = block->next;
    pthread_mutex_unlock(&lock);
    return block;
  }
  pthread_mutex_unlock(&lock);
  return calloc(1, sizeof(struct block));
}

static struct block *first(void) {
  pthread_mutex_lock(&lock);
  struct block *block = head ? head : calloc(1, sizeof *block);
  pthread_mutex_unlock(&lock);
  return block;
}

static void put(struct block *block) {
  pthread_mutex_lock(&lock);
  block->next = head;
  head = block;
  pthread_mutex_unlock(&lock);
}

static void *work(void *arg) {
  for (int i = 0; i < 100; i++) {
    struct block *a = take(), *b = take();
    if (!a || !b) abort();
    a->mine = 1;       // NORACE
    b->mine = a->mine; // NORACE
    put(a);
    put(b);
  }
  return arg;
}

static void *look(void *arg) {
  for (int i = 0; i < 100; i++) first()->everybodys = 1; // RACE everybodys SELF
  return arg;
}

int main(void) {
  pthread_t threads[2];
  put(calloc(1, sizeof(struct block)));
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, look, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  while (head) free(take());
  return 0;
}
