// SHOWN
// Blobs are shared by an atomic reference count; whoever drops the last reference reads and frees the plain fields with no lock.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NUPLOADERS 3
#define NBLOBS 50

struct blob {
  atomic_int refs;
  size_t len;
  unsigned sums[NUPLOADERS]; /* one cell for each uploader */
  unsigned char *data;
};

struct uploader {
  pthread_t tid;
  int number;
  struct blob *todo[NBLOBS];
  unsigned long freed_sum;
  unsigned freed;
};

static struct blob *blob_new(size_t len, int fill) {
  struct blob *b = calloc(1, sizeof *b);

  if (!b || !(b->data = malloc(len))) abort();
  b->len = len;
  memset(b->data, fill, len);
  atomic_init(&b->refs, 1);
  return b;
}

static struct blob *blob_get(struct blob *b) {
  atomic_fetch_add_explicit(&b->refs, 1, memory_order_relaxed);
  return b;
}

static int blob_put(struct blob *b, unsigned long *sum) {
  if (atomic_fetch_sub_explicit(&b->refs, 1, memory_order_acq_rel) != 1) return 0;
  for (int i = 0; i < NUPLOADERS; i++) *sum += b->sums[i]; // NORACE
  memset(b->data, 0, b->len);                              // NORACE
  free(b->data);
  free(b);
  return 1;
}

static void *upload(void *arg) {
  struct uploader *u = arg;

  for (int i = 0; i < NBLOBS; i++) {
    struct blob *b = u->todo[i];

    for (size_t k = 0; k < b->len; k++) b->sums[u->number] += b->data[k]; // NORACE
    u->freed += (unsigned)blob_put(b, &u->freed_sum);
  }
  return NULL;
}

int main(void) {
  static struct uploader up[NUPLOADERS];
  unsigned long sum = 0;
  unsigned freed = 0;
  struct blob *mine[NBLOBS];

  for (int i = 0; i < NBLOBS; i++) {
    mine[i] = blob_new(16 + (size_t)i, i);
    for (int n = 0; n < NUPLOADERS; n++) up[n].todo[i] = blob_get(mine[i]);
  }
  for (int n = 0; n < NUPLOADERS; n++) {
    up[n].number = n;
    pthread_create(&up[n].tid, NULL, upload, &up[n]);
  }
  for (int i = 0; i < NBLOBS; i++) freed += (unsigned)blob_put(mine[i], &sum);
  for (int n = 0; n < NUPLOADERS; n++) {
    pthread_join(up[n].tid, NULL);
    freed += up[n].freed;
    sum += up[n].freed_sum;
  }
  printf("freed %u blobs, sum %lu\n", freed, sum);
  return 0;
}
