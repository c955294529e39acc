// SHOWN
// Buffer-pool pages keep `dirty` under the I/O lock and `pinned` under the pin lock, but both are bits of one word.
#include <pthread.h>
#include <stdio.h>

#define NPAGES 8
#define ROUNDS 2000

struct page {
  unsigned id;
  unsigned dirty : 1;
  unsigned pinned : 1;
};

struct pool {
  pthread_mutex_t io_lock;  /* guards dirty and writebacks */
  pthread_mutex_t pin_lock; /* guards pinned and pins */
  unsigned long writebacks;
  unsigned long pins;
  struct page page[NPAGES];
};

static struct pool pool = {.io_lock = PTHREAD_MUTEX_INITIALIZER, .pin_lock = PTHREAD_MUTEX_INITIALIZER};

static void page_set_dirty(struct pool *p, struct page *pg, unsigned on) {
  pthread_mutex_lock(&p->io_lock);
  pg->dirty = on & 1; // RACE word
  if (!on) p->writebacks++;
  pthread_mutex_unlock(&p->io_lock);
}

static void page_set_pinned(struct pool *p, struct page *pg, unsigned on) {
  pthread_mutex_lock(&p->pin_lock);
  pg->pinned = on & 1; // RACE word
  if (on) p->pins++;
  pthread_mutex_unlock(&p->pin_lock);
}

static void *flusher(void *arg) {
  struct pool *p = arg;

  for (int i = 0; i < ROUNDS; i++) {
    page_set_dirty(p, &p->page[i % NPAGES], 1);
    page_set_dirty(p, &p->page[i % NPAGES], 0);
  }
  return NULL;
}

static void *scanner(void *arg) {
  struct pool *p = arg;

  for (int i = 0; i < ROUNDS; i++) {
    page_set_pinned(p, &p->page[i % NPAGES], 1);
    page_set_pinned(p, &p->page[i % NPAGES], 0);
  }
  return NULL;
}

int main(void) {
  pthread_t f, s[2];
  int stuck = 0;

  for (unsigned i = 0; i < NPAGES; i++) pool.page[i].id = i;
  pthread_create(&f, NULL, flusher, &pool);
  for (int i = 0; i < 2; i++) pthread_create(&s[i], NULL, scanner, &pool);
  pthread_join(f, NULL);
  for (int i = 0; i < 2; i++) pthread_join(s[i], NULL);
  for (int i = 0; i < NPAGES; i++) stuck += pool.page[i].dirty || pool.page[i].pinned;
  printf("%lu writebacks, %lu pins, %d stuck pages\n", pool.writebacks, pool.pins, stuck);
  return 0;
}
