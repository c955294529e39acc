// VERBS check run confirm
// SHOWN
// A connection table: workers touch their connections under the connection's lock, the idle reaper looks at the time
// under the lock of the table only.
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define SLOTS 6

struct connection {
  pthread_mutex_t lock;
  int fd;
  long last_active;
  unsigned long received;
  bool closing;
};

struct table {
  pthread_mutex_t lock;
  pthread_cond_t quit_cond;
  struct connection *slots[SLOTS];
  bool quit;
  unsigned sweeps;
};

static struct table table = {.lock = PTHREAD_MUTEX_INITIALIZER, .quit_cond = PTHREAD_COND_INITIALIZER};

static long now_ms(void) {
  struct timespec ts;
  clock_gettime(CLOCK_MONOTONIC, &ts);
  return ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static struct connection *connection_open(int fd) {
  struct connection *c = calloc(1, sizeof *c);
  if (!c) return NULL;
  pthread_mutex_init(&c->lock, NULL);
  c->fd = fd;
  c->last_active = now_ms();
  pthread_mutex_lock(&table.lock);
  table.slots[fd % SLOTS] = c;
  pthread_mutex_unlock(&table.lock);
  return c;
}

static bool connection_receive(struct connection *c, unsigned bytes) {
  bool open;
  pthread_mutex_lock(&c->lock);
  open = !c->closing;
  if (open) {
    c->received += bytes;
    c->last_active = now_ms(); // RACE active
  }
  pthread_mutex_unlock(&c->lock);
  return open;
}

static void sweep(long limit) {
  long now = now_ms();
  for (int i = 0; i < SLOTS; i++) {
    struct connection *c = table.slots[i];
    if (!c) continue;
    if (now - c->last_active > limit) { // RACE active
      pthread_mutex_lock(&c->lock);
      c->closing = true;
      pthread_mutex_unlock(&c->lock);
    }
  }
  table.sweeps++;
}

static void *reaper(void *arg) {
  (void)arg;
  pthread_mutex_lock(&table.lock);
  while (!table.quit) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 2000000;
    if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
    pthread_cond_timedwait(&table.quit_cond, &table.lock, &until);
    sweep(5000);
  }
  pthread_mutex_unlock(&table.lock);
  return NULL;
}

static void *serve(void *arg) {
  int fd = (int)(long)arg;
  struct connection *c = connection_open(fd);
  if (!c) return NULL;
  for (int i = 0; i < 20 && connection_receive(c, 100 + i); i++) usleep(500);
  return NULL;
}

int main(void) {
  pthread_t threads[SLOTS], timer;
  pthread_create(&timer, NULL, reaper, NULL);
  for (long i = 0; i < SLOTS; i++) pthread_create(&threads[i], NULL, serve, (void *)i);
  for (int i = 0; i < SLOTS; i++) pthread_join(threads[i], NULL);
  pthread_mutex_lock(&table.lock);
  table.quit = true;
  pthread_cond_signal(&table.quit_cond);
  pthread_mutex_unlock(&table.lock);
  pthread_join(timer, NULL);
  unsigned long total = 0;
  for (int i = 0; i < SLOTS; i++) {
    if (!table.slots[i]) continue;
    total += table.slots[i]->received;
    pthread_mutex_destroy(&table.slots[i]->lock);
    free(table.slots[i]);
  }
  printf("%lu bytes, %u sweeps\n", total, table.sweeps);
  return 0;
}
