// VERBS check run
// FLAGS -Wall
// SHOWN
// Proxy: the event loop owns the requests; a worker gets a pointer through a pipe and sends it back through another.
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct request {
  int id;
  char url[64];
  char reply[64];
  int status;
  int hops;
};

struct proxy {
  int to_workers[2];
  int to_loop[2];
  int inflight;
  int answered;
};

static int read_full(int fd, void *buf, size_t n) {
  char *p = buf;
  while (n > 0) {
    ssize_t r = read(fd, p, n);
    if (r < 0 && errno == EINTR) continue;
    if (r <= 0) return -1;
    p += r;
    n -= (size_t)r;
  }
  return 0;
}

static void send_ptr(int fd, struct request *rq) {
  if (write(fd, &rq, sizeof rq) != (ssize_t)sizeof rq) abort();
}

static void *upstream(void *arg) {
  struct proxy *px = arg;
  struct request *rq;

  while (read_full(px->to_workers[0], &rq, sizeof rq) == 0) {
    rq->hops++;
    if (strstr(rq->url, "bad"))
      rq->status = 502;
    else
      rq->status = 200;
    snprintf(rq->reply, sizeof rq->reply, "reply to %d", rq->id);
    send_ptr(px->to_loop[1], rq);
  }
  return NULL;
}

static struct request *request_new(int id) {
  struct request *rq = calloc(1, sizeof *rq);
  if (rq == NULL) abort();
  rq->id = id;
  snprintf(rq->url, sizeof rq->url, "http://%s/%d", id % 4 ? "good" : "bad", id);
  return rq;
}

static int loop(struct proxy *px, int total) {
  int next = 0, good = 0;

  while (px->answered < total) {
    struct pollfd pfd = {.fd = px->to_loop[0], .events = POLLIN};
    while (next < total && px->inflight < 4) {
      send_ptr(px->to_workers[1], request_new(next++));
      px->inflight++;
    }
    if (poll(&pfd, 1, 1000) <= 0) continue;
    struct request *rq;
    if (read_full(px->to_loop[0], &rq, sizeof rq) < 0) break;
    px->inflight--;
    px->answered++;
    if (rq->status == 200 && rq->hops == 1 && rq->reply[0]) good++;
    free(rq);
  }
  return good;
}

int main(void) {
  struct proxy px = {.inflight = 0};
  pthread_t t[2];
  int good;

  if (pipe(px.to_workers) < 0 || pipe(px.to_loop) < 0) return 1;
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, upstream, &px);
  good = loop(&px, 20);
  close(px.to_workers[1]);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  return good == 15 ? 0 : 1;
}
