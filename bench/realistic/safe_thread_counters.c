// SHOWN
// Hot counters live in thread-local blocks made on first use; a key destructor folds a dying thread's block into the totals under the lock.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define NTHREADS 4

enum counter { READS, WRITES, RETRIES, NCOUNTERS };

struct block {
  unsigned long n[NCOUNTERS];
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static _Thread_local struct block *mine;

static struct {
  pthread_mutex_t lock;
  struct block sum;
  unsigned threads;
} totals = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void fold(void *arg) {
  struct block *b = arg;

  pthread_mutex_lock(&totals.lock);
  for (int i = 0; i < NCOUNTERS; i++) totals.sum.n[i] += b->n[i]; // NORACE
  totals.threads++;
  pthread_mutex_unlock(&totals.lock);
  free(b);
}

static void make_key(void) {
  if (pthread_key_create(&key, fold) != 0) // NORACE
    abort();
}

static struct block *local_block(void) {
  if (!mine) { // NORACE
    pthread_once(&once, make_key);
    mine = calloc(1, sizeof *mine); // NORACE
    if (!mine || pthread_setspecific(key, mine) != 0) abort();
  }
  return mine;
}

static void count(enum counter c) {
  local_block()->n[c]++; // NORACE
}

static void *io_thread(void *arg) {
  unsigned x = *(const unsigned *)arg;

  for (int i = 0; i < 1000; i++) {
    x = x * 1103515245u + 12345u;
    count((x >> 16) & 1 ? READS : WRITES);
    if ((x >> 16) % 7 == 0) count(RETRIES);
  }
  return NULL;
}

int main(void) {
  static const unsigned seed[NTHREADS] = {5, 6, 7, 8};
  pthread_t t[NTHREADS];

  for (int i = 0; i < NTHREADS; i++) pthread_create(&t[i], NULL, io_thread, (void *)&seed[i]);
  for (int i = 0; i < NTHREADS; i++) pthread_join(t[i], NULL);
  /* every other thread is gone, destructors included */
  printf("threads %u reads %lu writes %lu retries %lu\n", totals.threads, totals.sum.n[READS], totals.sum.n[WRITES],
         totals.sum.n[RETRIES]);
  return 0;
}
