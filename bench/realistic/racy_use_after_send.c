// SHOWN
// Requests are handed over to a server thread through a pipe; the sender stamps the request after it was sent.
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct request {
  int op;
  unsigned size;
  long sent_at;
  char body[64];
};

struct channel {
  int rd, wr;
};

static long now_us(void) {
  struct timespec ts;
  clock_gettime(CLOCK_MONOTONIC, &ts);
  return ts.tv_sec * 1000000L + ts.tv_nsec / 1000;
}

static int channel_open(struct channel *c) {
  int fds[2];
  if (pipe(fds)) return -errno;
  c->rd = fds[0];
  c->wr = fds[1];
  return 0;
}

static int channel_send(struct channel *c, struct request *r) {
  ssize_t n;
  do n = write(c->wr, &r, sizeof r);
  while (n < 0 && errno == EINTR);
  return n == sizeof r ? 0 : -1;
}

static struct request *channel_receive(struct channel *c) {
  struct request *r;
  ssize_t n;
  do n = read(c->rd, &r, sizeof r);
  while (n < 0 && errno == EINTR);
  return n == sizeof r ? r : NULL;
}

static void *server(void *arg) {
  struct channel *c = arg;
  struct request *r;
  long worst = 0;
  unsigned bytes = 0;
  while ((r = channel_receive(c))) {
    long delay = now_us() - r->sent_at; // RACE stamp
    if (delay > worst) worst = delay;
    bytes += r->size;                                   // NORACE written before it was sent
    if (r->op == 1) bytes += (unsigned)strlen(r->body); // NORACE written before it was sent
    free(r);                                            // RACE freed
  }
  printf("%u bytes\n", bytes);
  return NULL;
}

int main(void) {
  struct channel c;
  pthread_t thread;
  if (channel_open(&c)) return 1;
  if (pthread_create(&thread, NULL, server, &c)) return 1;
  for (int i = 0; i < 30; i++) {
    struct request *r = calloc(1, sizeof *r);
    if (!r) break;
    r->op = i & 1;
    r->size = (unsigned)i;
    snprintf(r->body, sizeof r->body, "payload %d", i);
    if (channel_send(&c, r)) {
      free(r);
      break;
    }
    r->sent_at = now_us(); // RACE stamp freed
  }
  close(c.wr);
  pthread_join(thread, NULL);
  close(c.rd);
  return 0;
}
