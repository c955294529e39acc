// SHOWN
// Packets with a flexible array at their end go round: capture -> ring -> decoder -> ring -> writer -> free list.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RING 8

struct packet {
  struct packet *next_free;
  unsigned sequence;
  unsigned checksum;
  unsigned short length;
  unsigned char data[];
};

struct ring {
  pthread_mutex_t lock;
  pthread_cond_t not_empty, not_full;
  struct packet *slots[RING];
  unsigned head, tail;
  int eof;
};

struct pool {
  pthread_mutex_t lock;
  struct packet *free;
  unsigned made;
};

static struct ring raw, decoded;
static struct pool pool = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void ring_init(struct ring *r) {
  memset(r, 0, sizeof *r);
  pthread_mutex_init(&r->lock, NULL);
  pthread_cond_init(&r->not_empty, NULL);
  pthread_cond_init(&r->not_full, NULL);
}

static void ring_push(struct ring *r, struct packet *p) {
  pthread_mutex_lock(&r->lock);
  while (r->head - r->tail == RING) pthread_cond_wait(&r->not_full, &r->lock);
  r->slots[r->head++ % RING] = p;
  pthread_cond_signal(&r->not_empty);
  pthread_mutex_unlock(&r->lock);
}

static struct packet *ring_pop(struct ring *r) {
  struct packet *p = NULL;
  pthread_mutex_lock(&r->lock);
  while (r->head == r->tail && !r->eof) pthread_cond_wait(&r->not_empty, &r->lock);
  if (r->head != r->tail) {
    p = r->slots[r->tail++ % RING];
    pthread_cond_signal(&r->not_full);
  }
  pthread_mutex_unlock(&r->lock);
  return p;
}

static void ring_close(struct ring *r) {
  pthread_mutex_lock(&r->lock);
  r->eof = 1;
  pthread_cond_broadcast(&r->not_empty);
  pthread_mutex_unlock(&r->lock);
}

static struct packet *pool_get(unsigned short length) {
  pthread_mutex_lock(&pool.lock);
  struct packet *p = pool.free;
  if (p)
    pool.free = p->next_free;
  else
    pool.made++;
  pthread_mutex_unlock(&pool.lock);
  if (!p) p = malloc(sizeof *p + 64);
  if (!p) abort();
  p->next_free = NULL; // NORACE
  p->length = length;
  return p;
}

static void pool_put(struct packet *p) {
  pthread_mutex_lock(&pool.lock);
  p->next_free = pool.free;
  pool.free = p;
  pthread_mutex_unlock(&pool.lock);
}

static void *capture(void *arg) {
  (void)arg;
  for (unsigned i = 0; i < 60; i++) {
    struct packet *p = pool_get((unsigned short)(i % 64));
    p->sequence = i;                                                              // NORACE
    for (unsigned k = 0; k < p->length; k++) p->data[k] = (unsigned char)(i + k); // NORACE
    ring_push(&raw, p);
  }
  ring_close(&raw);
  return NULL;
}

static void *decode(void *arg) {
  struct packet *p;
  (void)arg;
  while ((p = ring_pop(&raw))) {
    p->checksum = 0; // NORACE
    for (unsigned k = 0; k < p->length; k++) {
      p->checksum += p->data[k]; // NORACE
      p->data[k] ^= 0x55;        // NORACE
    }
    ring_push(&decoded, p);
  }
  ring_close(&decoded);
  return NULL;
}

static void *store(void *arg) {
  unsigned *total = arg;
  struct packet *p;
  while ((p = ring_pop(&decoded))) {
    *total += p->checksum;         // NORACE
    memset(p->data, 0, p->length); // NORACE
    pool_put(p);
  }
  return NULL;
}

int main(void) {
  pthread_t a, b, c;
  unsigned total = 0;
  ring_init(&raw);
  ring_init(&decoded);
  pthread_create(&a, NULL, capture, NULL);
  pthread_create(&b, NULL, decode, NULL);
  pthread_create(&c, NULL, store, &total);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_join(c, NULL);
  unsigned freed = 0;
  for (struct packet *p = pool.free, *next; p; p = next, freed++) {
    next = p->next_free;
    free(p);
  }
  printf("total %u, %u packets made\n", total, pool.made);
  return freed != pool.made;
}
