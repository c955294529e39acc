// SHOWN
// An event loop that alone owns its state: other threads send it commands, as pointers through a pipe, and get the
// answers back through pipes of their own.
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum command_kind { CMD_SET, CMD_GET, CMD_QUIT };

struct command {
  enum command_kind kind;
  int key;
  char value[24];
  int reply_fd;
};

struct reactor {
  int pipe[2];
  char values[8][24];
  unsigned long handled;
};

static int full_write(int fd, const void *from, size_t n) {
  const char *p = from;
  while (n) {
    ssize_t done = write(fd, p, n);
    if (done <= 0) return -1;
    p += done;
    n -= (size_t)done;
  }
  return 0;
}

static int full_read(int fd, void *to, size_t n) {
  char *p = to;
  while (n) {
    ssize_t done = read(fd, p, n);
    if (done <= 0) return -1;
    p += done;
    n -= (size_t)done;
  }
  return 0;
}

static int reactor_handle(struct reactor *r, struct command *c) {
  int more = 1;
  r->handled++; // NORACE
  switch (c->kind) {
  case CMD_SET:
    memcpy(r->values[c->key & 7], c->value, sizeof c->value); // NORACE
    free(c);
    break;
  case CMD_GET:
    memcpy(c->value, r->values[c->key & 7], sizeof c->value); // NORACE
    full_write(c->reply_fd, &c, sizeof c);
    break;
  case CMD_QUIT:
    free(c);
    more = 0;
    break;
  }
  return more;
}

static void *reactor_loop(void *arg) {
  struct reactor *r = arg;
  struct pollfd fd = {.fd = r->pipe[0], .events = POLLIN};
  for (int more = 1; more;) {
    if (poll(&fd, 1, -1) < 0) break;
    struct command *c;
    if (full_read(r->pipe[0], &c, sizeof c)) break;
    more = reactor_handle(r, c);
  }
  return NULL;
}

static int reactor_send(struct reactor *r, enum command_kind kind, int key, const char *value, int reply_fd) {
  struct command *c = calloc(1, sizeof *c);
  if (!c) return -1;
  c->kind = kind;
  c->key = key;
  c->reply_fd = reply_fd;
  if (value) snprintf(c->value, sizeof c->value, "%s", value);
  if (full_write(r->pipe[1], &c, sizeof c)) {
    free(c);
    return -1;
  }
  return 0;
}

static void *client(void *arg) {
  struct reactor *r = arg;
  int reply[2];
  long found = 0;
  if (pipe(reply)) return NULL;
  for (int i = 0; i < 20; i++) {
    char text[24];
    snprintf(text, sizeof text, "value-%d", i);
    if (reactor_send(r, CMD_SET, i, text, -1)) break;
    if (reactor_send(r, CMD_GET, i, NULL, reply[1])) break;
    struct command *answer;
    if (full_read(reply[0], &answer, sizeof answer)) break;
    found += answer->value[0] == 'v'; // NORACE
    free(answer);
  }
  close(reply[0]);
  close(reply[1]);
  return (void *)found;
}

int main(void) {
  struct reactor r = {.handled = 0};
  pthread_t loop, clients[2];
  void *result;
  long found = 0;
  if (pipe(r.pipe)) return 2;
  pthread_create(&loop, NULL, reactor_loop, &r);
  for (int i = 0; i < 2; i++) pthread_create(&clients[i], NULL, client, &r);
  for (int i = 0; i < 2; i++) {
    pthread_join(clients[i], &result);
    found += (long)result;
  }
  reactor_send(&r, CMD_QUIT, 0, NULL, -1);
  pthread_join(loop, NULL);
  printf("%lu commands, %ld answers\n", r.handled, found);
  close(r.pipe[0]);
  close(r.pipe[1]);
  return found != 40;
}
