// SHOWN
// Reference-counted buffers passed to several consumers. A reference is taken under the lock but dropped without.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct buffer {
  pthread_mutex_t lock;
  int refs;
  size_t len;
  unsigned char data[];
};

struct consumer {
  pthread_t thread;
  struct buffer *buf;
  unsigned sum;
};

static struct buffer *buffer_new(const void *data, size_t len) {
  struct buffer *b = malloc(sizeof *b + len);
  if (!b) return NULL;
  pthread_mutex_init(&b->lock, NULL);
  b->refs = 1;
  b->len = len;
  memcpy(b->data, data, len);
  return b;
}

static struct buffer *buffer_get(struct buffer *b) {
  pthread_mutex_lock(&b->lock);
  b->refs++; // RACE getput
  pthread_mutex_unlock(&b->lock);
  return b;
}

static void buffer_put(struct buffer *b) {
  if (--b->refs == 0) { // RACE getput // RACE put SELF
    pthread_mutex_destroy(&b->lock);
    free(b);
  }
}

static void *consume(void *arg) {
  struct consumer *c = arg;
  unsigned sum = 0;
  for (size_t i = 0; i < c->buf->len; i++) sum = sum * 31 + c->buf->data[i];
  c->sum = sum;
  buffer_put(c->buf);
  return NULL;
}

int main(void) {
  unsigned char bytes[256];
  for (int i = 0; i < 256; i++) bytes[i] = i;
  struct buffer *b = buffer_new(bytes, sizeof bytes);
  if (!b) return 1;
  struct consumer consumers[4];
  for (int i = 0; i < 4; i++) {
    consumers[i].buf = buffer_get(b);
    if (pthread_create(&consumers[i].thread, NULL, consume, &consumers[i])) return 1;
  }
  for (int i = 0; i < 4; i++) pthread_join(consumers[i].thread, NULL);
  for (int i = 1; i < 4; i++)
    if (consumers[i].sum != consumers[0].sum) puts("sums differ");
  buffer_put(b);
  return 0;
}
