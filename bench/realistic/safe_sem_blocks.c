// SHOWN
// A compressor reads blocks through two semaphores (empty, full) over three plain buffers; the indices and the buffers have no lock.
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>

#define NBUFS 3
#define NBLOCKS 120
#define BLOCK 48

struct buffer {
  size_t len;
  char data[BLOCK];
};

struct stream {
  sem_t empty, full;
  struct buffer buf[NBUFS];
  unsigned fill_at;  /* reader only */
  unsigned drain_at; /* compressor only */
  unsigned long in_bytes, out_bytes;
};

static struct stream st;

static void down(sem_t *s) { while (sem_wait(s) != 0 && errno == EINTR); }

static struct buffer *next_empty(struct stream *s) {
  down(&s->empty);
  return &s->buf[s->fill_at++ % NBUFS]; // NORACE
}

static struct buffer *next_full(struct stream *s) {
  down(&s->full);
  return &s->buf[s->drain_at++ % NBUFS]; // NORACE
}

static void *reader(void *arg) {
  struct stream *s = arg;

  for (int i = 0; i <= NBLOCKS; i++) {
    struct buffer *b = next_empty(s);

    b->len = i == NBLOCKS ? 0 : 8 + (size_t)i % (BLOCK - 8); // NORACE
    memset(b->data, 'a' + i % 3, b->len);                    // NORACE
    s->in_bytes += b->len;
    sem_post(&s->full);
  }
  return NULL;
}

static void *compressor(void *arg) {
  struct stream *s = arg;
  size_t len;

  do {
    struct buffer *b = next_full(s);
    size_t runs = 0;

    len = b->len; // NORACE
    for (size_t i = 0; i < len; i++)
      if (i == 0 || b->data[i] != b->data[i - 1]) // NORACE
        runs++;
    b->len = 0; // NORACE
    sem_post(&s->empty);
    s->out_bytes += 2 * runs;
  } while (len > 0);
  return NULL;
}

int main(void) {
  pthread_t r, c;

  sem_init(&st.empty, 0, NBUFS);
  sem_init(&st.full, 0, 0);
  pthread_create(&c, NULL, compressor, &st);
  pthread_create(&r, NULL, reader, &st);
  pthread_join(r, NULL);
  pthread_join(c, NULL);
  printf("%lu bytes in, %lu bytes out\n", st.in_bytes, st.out_bytes);
  sem_destroy(&st.empty);
  sem_destroy(&st.full);
  return 0;
}
