// VERBS check run
// FLAGS -Wall -std=gnu11
// SHOWN
// Connection pool: a semaphore counts the free slots, a compare-and-swap on the slot's state claims one.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POOL 3

enum { FREE = 0, BUSY = 1 };

typedef struct conn {
  atomic_int state;
  int fd;
  unsigned queries;
  char last_sql[48];
} conn_t;

typedef struct {
  sem_t available;
  conn_t conns[POOL];
} pool_t;

static void pool_init(pool_t *p) {
  sem_init(&p->available, 0, POOL);
  for (int i = 0; i < POOL; i++) {
    atomic_init(&p->conns[i].state, FREE);
    p->conns[i].fd = 100 + i;
    p->conns[i].queries = 0;
    p->conns[i].last_sql[0] = '\0';
  }
}

static conn_t *pool_acquire(pool_t *p) {
  while (sem_wait(&p->available) != 0);
  for (;;)
    for (int i = 0; i < POOL; i++) {
      int expected = FREE;
      if (atomic_compare_exchange_strong(&p->conns[i].state, &expected, BUSY)) return &p->conns[i];
    }
}

static void pool_release(pool_t *p, conn_t *c) {
  atomic_store(&c->state, FREE);
  sem_post(&p->available);
}

static void conn_query(conn_t *c, const char *sql) {
  c->queries++;                                         // NORACE
  snprintf(c->last_sql, sizeof c->last_sql, "%s", sql); // NORACE
}

static void *app(void *arg) {
  pool_t *p = arg;

  for (int i = 0; i < 30; i++) {
    conn_t *c = pool_acquire(p);
    conn_query(c, i % 2 ? "SELECT 1" : "UPDATE t SET x = 1");
    pool_release(p, c);
  }
  return NULL;
}

int main(void) {
  pool_t *pool = malloc(sizeof *pool);
  pthread_t t[5];
  unsigned total = 0;

  pool_init(pool);
  for (int i = 0; i < 5; i++) pthread_create(&t[i], NULL, app, pool);
  for (int i = 0; i < 5; i++) pthread_join(t[i], NULL);
  for (int i = 0; i < POOL; i++) total += pool->conns[i].queries;
  sem_destroy(&pool->available);
  free(pool);
  return total == 150 ? 0 : 1;
}
