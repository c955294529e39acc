// VERBS check run
// FLAGS -Wall
// SHOWN
// Log shipper: producers append to the active buffer under the lock; the shipper swaps the buffers under it and sends without it.
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  char data[2048];
  size_t used;
  unsigned lines;
} logbuf;

typedef struct {
  pthread_mutex_t mutex;
  pthread_cond_t filled, drained;
  logbuf buffers[2];
  logbuf *active;
  bool stop;
} shipper;

static shipper ship = {
    .mutex = PTHREAD_MUTEX_INITIALIZER,
    .filled = PTHREAD_COND_INITIALIZER,
    .drained = PTHREAD_COND_INITIALIZER,
    .active = &ship.buffers[0],
};

static void log_line(const char *format, ...) {
  va_list args;
  pthread_mutex_lock(&ship.mutex);
  while (ship.active->used + 128 > sizeof ship.active->data) pthread_cond_wait(&ship.drained, &ship.mutex);
  logbuf *b = ship.active;
  va_start(args, format);
  int n = vsnprintf(b->data + b->used, sizeof b->data - b->used, format, args);
  va_end(args);
  b->used += (size_t)n;
  b->lines++;
  pthread_cond_signal(&ship.filled);
  pthread_mutex_unlock(&ship.mutex);
}

static size_t send_out(const logbuf *b, unsigned *checksum) {
  for (size_t i = 0; i < b->used; i++) *checksum = *checksum * 31 + (unsigned char)b->data[i];
  return b->lines;
}

static void *shipper_main(void *arg) {
  size_t *sent = arg;
  unsigned checksum = 0;
  pthread_mutex_lock(&ship.mutex);
  for (;;) {
    while (ship.active->used == 0 && !ship.stop) pthread_cond_wait(&ship.filled, &ship.mutex);
    if (ship.active->used == 0) break;
    logbuf *full = ship.active;
    ship.active = full == &ship.buffers[0] ? &ship.buffers[1] : &ship.buffers[0];
    pthread_cond_broadcast(&ship.drained);
    pthread_mutex_unlock(&ship.mutex);
    *sent += send_out(full, &checksum);
    full->used = 0;
    full->lines = 0;
    pthread_mutex_lock(&ship.mutex);
  }
  pthread_mutex_unlock(&ship.mutex);
  return NULL;
}

static void *service(void *arg) {
  const char *name = arg;
  for (int i = 0; i < 40; i++) log_line("[%s] request %d took %d ms\n", name, i, i * 3 % 17);
  return NULL;
}

int main(void) {
  pthread_t services[2], shipper_thread;
  size_t sent = 0;
  pthread_create(&shipper_thread, NULL, shipper_main, &sent);
  pthread_create(&services[0], NULL, service, "auth");
  pthread_create(&services[1], NULL, service, "billing");
  pthread_join(services[0], NULL);
  pthread_join(services[1], NULL);
  pthread_mutex_lock(&ship.mutex);
  ship.stop = true;
  pthread_cond_signal(&ship.filled);
  pthread_mutex_unlock(&ship.mutex);
  pthread_join(shipper_thread, NULL);
  return sent == 80 ? 0 : 1;
}
