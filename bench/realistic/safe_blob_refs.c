// SHOWN
// Reference-counted blobs that several subscribers read: the publisher fills them before handing out references, and who
// drops the last one may scribble over and free them.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUBSCRIBERS 3

struct blob {
  atomic_uint refs;
  size_t size;
  unsigned char bytes[];
};

struct mailbox {
  pthread_mutex_t lock;
  pthread_cond_t arrived;
  struct blob *items[32];
  unsigned in, out;
  int closed;
};

static struct mailbox boxes[SUBSCRIBERS];
static atomic_uint released;

static struct blob *blob_new(size_t size, int seed) {
  struct blob *b = malloc(sizeof *b + size);
  if (!b) abort();
  atomic_init(&b->refs, 1);
  b->size = size;
  for (size_t i = 0; i < size; i++) b->bytes[i] = (unsigned char)(seed + (int)i);
  return b;
}

static struct blob *blob_get(struct blob *b) {
  atomic_fetch_add_explicit(&b->refs, 1, memory_order_relaxed);
  return b;
}

static void blob_put(struct blob *b) {
  if (atomic_fetch_sub_explicit(&b->refs, 1, memory_order_release) != 1) return;
  atomic_thread_fence(memory_order_acquire);
  memset(b->bytes, 0xdd, b->size); // NORACE
  b->size = 0;                     // NORACE
  atomic_fetch_add_explicit(&released, 1, memory_order_relaxed);
  free(b);
}

static void mailbox_post(struct mailbox *m, struct blob *b) {
  pthread_mutex_lock(&m->lock);
  if (m->in - m->out < 32) {
    m->items[m->in++ % 32] = blob_get(b);
    pthread_cond_signal(&m->arrived);
  }
  pthread_mutex_unlock(&m->lock);
}

static struct blob *mailbox_take(struct mailbox *m) {
  struct blob *b = NULL;
  pthread_mutex_lock(&m->lock);
  while (m->in == m->out && !m->closed) pthread_cond_wait(&m->arrived, &m->lock);
  if (m->in != m->out) b = m->items[m->out++ % 32];
  pthread_mutex_unlock(&m->lock);
  return b;
}

static void *subscriber(void *arg) {
  struct mailbox *m = arg;
  struct blob *b;
  unsigned long sum = 0;
  while ((b = mailbox_take(m))) {
    for (size_t i = 0; i < b->size; i++) sum += b->bytes[i]; // NORACE
    blob_put(b);
  }
  return (void *)sum;
}

int main(void) {
  pthread_t threads[SUBSCRIBERS];
  for (int i = 0; i < SUBSCRIBERS; i++) {
    pthread_mutex_init(&boxes[i].lock, NULL);
    pthread_cond_init(&boxes[i].arrived, NULL);
    pthread_create(&threads[i], NULL, subscriber, &boxes[i]);
  }
  for (int n = 0; n < 25; n++) {
    struct blob *b = blob_new(40, n);
    for (int i = 0; i < SUBSCRIBERS; i++) mailbox_post(&boxes[i], b);
    blob_put(b);
  }
  for (int i = 0; i < SUBSCRIBERS; i++) {
    pthread_mutex_lock(&boxes[i].lock);
    boxes[i].closed = 1;
    pthread_cond_signal(&boxes[i].arrived);
    pthread_mutex_unlock(&boxes[i].lock);
  }
  for (int i = 0; i < SUBSCRIBERS; i++) pthread_join(threads[i], NULL);
  printf("%u released\n", atomic_load(&released));
  return atomic_load(&released) != 25;
}
