// Threads of one kind, each started with a record of its own: a pointer in it leads to what its creator has put there, which is the thread's own or common.
#include <pthread.h>

struct shared {
  pthread_mutex_t lock;
  long total, count;
};

struct context {
  struct shared *shared;
  int *own;
};

static void *work(void *argument) {
  struct context *context = argument;
  for (int i = 0; i < 10; i++) {
    (*context->own)++; // NORACE
    pthread_mutex_lock(&context->shared->lock);
    context->shared->total += i; // NORACE
    pthread_mutex_unlock(&context->shared->lock);
    context->shared->count++; // RACE count SELF
  }
  return NULL;
}

int main(void) {
  struct shared shared = {PTHREAD_MUTEX_INITIALIZER, 0, 0};
  int first = 0, second = 0;
  struct context one = {&shared, &first}, other = {&shared, &second};
  pthread_t a, b;
  pthread_create(&a, NULL, work, &one);
  pthread_create(&b, NULL, work, &other);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return first + second != 20; // NORACE
}
