// SHOWN
// A pool of buffers counted by a semaphore; who has a buffer owns it.
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>

#define BUFFERS 3

struct buffer {
  int in_use;
  size_t len;
  char data[128];
};

static struct buffer pool[BUFFERS];
static sem_t available;
static sem_t pool_mutex;
static unsigned handed_out;

static void wait_for(sem_t *s) { while (sem_wait(s) < 0 && errno == EINTR); }

static struct buffer *buffer_acquire(void) {
  struct buffer *b = NULL;
  wait_for(&available);
  wait_for(&pool_mutex);
  for (int i = 0; i < BUFFERS; i++)
    if (!pool[i].in_use) { // NORACE the semaphore is a mutex
      pool[i].in_use = 1;  // NORACE the semaphore is a mutex
      b = &pool[i];
      break;
    }
  handed_out++; // NORACE the semaphore is a mutex
  sem_post(&pool_mutex);
  return b;
}

static void buffer_release(struct buffer *b) {
  wait_for(&pool_mutex);
  b->in_use = 0; // NORACE the semaphore is a mutex
  sem_post(&pool_mutex);
  sem_post(&available);
}

static void *render(void *arg) {
  const char *name = arg;
  size_t total = 0;
  for (int i = 0; i < 30; i++) {
    struct buffer *b = buffer_acquire();
    b->len = (size_t)snprintf(b->data, sizeof b->data, "%s page %d", name, i); // NORACE the buffer is owned
    total += b->len;                                                           // NORACE the buffer is owned
    buffer_release(b);
  }
  return (void *)total;
}

int main(void) {
  static const char *names[] = {"intro", "body", "index", "cover"};
  pthread_t threads[4];
  size_t total = 0;
  sem_init(&available, 0, BUFFERS);
  sem_init(&pool_mutex, 0, 1);
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, render, (void *)names[i]);
  for (int i = 0; i < 4; i++) {
    void *result;
    pthread_join(threads[i], &result);
    total += (size_t)result;
  }
  printf("%zu in %u buffers\n", total, handed_out);
  sem_destroy(&available);
  sem_destroy(&pool_mutex);
  return 0;
}
