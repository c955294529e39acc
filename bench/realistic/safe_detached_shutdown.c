// SHOWN
// Detached connection threads, counted under a lock; main waits for the last one before it looks at the results.
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct server {
  pthread_mutex_t lock;
  pthread_cond_t idle;
  int active;
  unsigned served;
  atomic_bool draining;
};

struct connection {
  struct server *server;
  int fd;
  unsigned bytes;
};

static void server_enter(struct server *s) {
  pthread_mutex_lock(&s->lock);
  s->active++;
  pthread_mutex_unlock(&s->lock);
}

static void server_leave(struct server *s, unsigned bytes) {
  pthread_mutex_lock(&s->lock);
  s->served += bytes;
  if (--s->active == 0) pthread_cond_broadcast(&s->idle);
  pthread_mutex_unlock(&s->lock);
}

static void *connection_thread(void *arg) {
  struct connection *c = arg;
  struct server *s = c->server;
  for (int i = 0; i < 10 && !atomic_load(&s->draining); i++) {
    c->bytes += (unsigned)(c->fd * i); // NORACE each thread has a connection
    usleep(100);
  }
  unsigned bytes = c->bytes;
  free(c);
  server_leave(s, bytes);
  return NULL;
}

static int server_accept(struct server *s, int fd) {
  pthread_t thread;
  pthread_attr_t attr;
  struct connection *c = calloc(1, sizeof *c);
  int rc;
  if (!c) return -1;
  c->server = s; // NORACE not yet given to the thread
  c->fd = fd;    // NORACE not yet given to the thread
  pthread_attr_init(&attr);
  pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
  server_enter(s);
  rc = pthread_create(&thread, &attr, connection_thread, c);
  pthread_attr_destroy(&attr);
  if (rc) {
    server_leave(s, 0);
    free(c); // NORACE there is no thread
  }
  return rc;
}

int main(void) {
  struct server *s = calloc(1, sizeof *s);
  if (!s) return 1;
  pthread_mutex_init(&s->lock, NULL);
  pthread_cond_init(&s->idle, NULL);
  for (int fd = 3; fd < 8; fd++) server_accept(s, fd);
  usleep(300);
  atomic_store(&s->draining, true);
  pthread_mutex_lock(&s->lock);
  while (s->active) pthread_cond_wait(&s->idle, &s->lock);
  unsigned served = s->served;
  pthread_mutex_unlock(&s->lock);
  printf("%u\n", served);
  /* s is kept: the last thread may still be inside pthread_mutex_unlock */
  return 0;
}
