// SHOWN
// A table of connections, each with its lock. The reaper looks at the time of last use without the lock.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MAX_CONN 16
#define IDLE_LIMIT 1000

enum conn_state { CONN_FREE, CONN_OPEN, CONN_CLOSING };

struct conn {
  pthread_mutex_t lock;
  enum conn_state state;
  long last_active;
  unsigned long rx, tx;
  char peer[32];
};

static struct conn table[MAX_CONN];
static atomic_int running = 1;

static long now_ms(void) {
  struct timespec ts;
  clock_gettime(CLOCK_MONOTONIC, &ts);
  return ts.tv_sec * 1000L + ts.tv_nsec / 1000000L;
}

static void table_init(void) {
  for (int i = 0; i < MAX_CONN; i++) {
    pthread_mutex_init(&table[i].lock, NULL);
    table[i].state = CONN_FREE;
    table[i].last_active = 0;
  }
}

static int conn_open(const char *peer) {
  for (int i = 0; i < MAX_CONN; i++) {
    struct conn *c = &table[i];
    pthread_mutex_lock(&c->lock);
    if (c->state == CONN_FREE) {
      c->state = CONN_OPEN;
      c->last_active = now_ms(); // RACE opened
      c->rx = c->tx = 0;
      snprintf(c->peer, sizeof c->peer, "%s", peer);
      pthread_mutex_unlock(&c->lock);
      return i;
    }
    pthread_mutex_unlock(&c->lock);
  }
  return -1;
}

static void conn_traffic(int id, unsigned rx, unsigned tx) {
  struct conn *c = &table[id];
  pthread_mutex_lock(&c->lock);
  if (c->state == CONN_OPEN) {
    c->rx += rx;
    c->tx += tx;
    c->last_active = now_ms(); // RACE used
  }
  pthread_mutex_unlock(&c->lock);
}

static void conn_close(int id) {
  struct conn *c = &table[id];
  pthread_mutex_lock(&c->lock);
  if (c->state == CONN_OPEN) c->state = CONN_CLOSING;
  pthread_mutex_unlock(&c->lock);
}

static void *reaper(void *arg) {
  int *reaped = arg;
  while (atomic_load(&running)) {
    long now = now_ms();
    for (int i = 0; i < MAX_CONN; i++) {
      struct conn *c = &table[i];
      long idle = now - c->last_active; // RACE opened used
      pthread_mutex_lock(&c->lock);
      if (c->state == CONN_CLOSING || (c->state == CONN_OPEN && idle > IDLE_LIMIT)) {
        c->state = CONN_FREE;
        c->peer[0] = '\0';
        ++*reaped; // NORACE main reads it after the join
      }
      pthread_mutex_unlock(&c->lock);
    }
    usleep(500);
  }
  return NULL;
}

static void *client(void *arg) {
  char name[32];
  snprintf(name, sizeof name, "client-%d", *(int *)arg);
  for (int round = 0; round < 5; round++) {
    int id = conn_open(name);
    if (id < 0) continue;
    for (int i = 0; i < 20; i++) conn_traffic(id, i, 2 * i);
    conn_close(id);
    usleep(200);
  }
  return NULL;
}

int main(void) {
  pthread_t reap, clients[3];
  int numbers[3], reaped = 0;
  table_init();
  pthread_create(&reap, NULL, reaper, &reaped);
  for (int i = 0; i < 3; i++) {
    numbers[i] = i;
    pthread_create(&clients[i], NULL, client, &numbers[i]);
  }
  for (int i = 0; i < 3; i++) pthread_join(clients[i], NULL);
  atomic_store(&running, 0);
  pthread_join(reap, NULL);
  printf("reaped %d\n", reaped);
  return 0;
}
