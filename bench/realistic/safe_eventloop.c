// SHOWN
// An event loop woken by an eventfd; commands come in a list that is taken whole under the lock; replies by a pipe.
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct loop;

struct command {
  struct command *next;
  void (*run)(struct loop *, struct command *);
  int argument;
  int answer;
  int reply_fd;
};

struct loop {
  int wake_fd;
  pthread_mutex_t lock;
  struct command *incoming;
  int state;
  unsigned executed;
  int quit;
};

static void loop_post(struct loop *l, struct command *c) {
  uint64_t one = 1;
  pthread_mutex_lock(&l->lock);
  c->next = l->incoming;
  l->incoming = c;
  pthread_mutex_unlock(&l->lock);
  while (write(l->wake_fd, &one, sizeof one) < 0 && errno == EINTR);
}

static void cmd_add(struct loop *l, struct command *c) {
  l->state += c->argument; // NORACE only the loop's thread runs commands
  c->answer = l->state;    // NORACE the poster waits for the reply
  char ok = 1;
  if (write(c->reply_fd, &ok, 1) != 1) l->quit = 1;
}

static void cmd_quit(struct loop *l, struct command *c) {
  l->quit = 1; // NORACE only the loop's thread runs commands
  free(c);
}

static void *loop_run(void *arg) {
  struct loop *l = arg;
  while (!l->quit) { // NORACE only the loop's thread runs commands
    struct pollfd p = {.fd = l->wake_fd, .events = POLLIN};
    if (poll(&p, 1, -1) < 0) continue;
    uint64_t n;
    if (read(l->wake_fd, &n, sizeof n) != sizeof n) continue;
    pthread_mutex_lock(&l->lock);
    struct command *c = l->incoming;
    l->incoming = NULL;
    pthread_mutex_unlock(&l->lock);
    while (c) {
      struct command *next = c->next; // NORACE the list was taken
      c->run(l, c);
      l->executed++; // NORACE only the loop's thread
      c = next;
    }
  }
  return NULL;
}

static int loop_add(struct loop *l, int n) {
  int fds[2];
  if (pipe(fds)) return -1;
  struct command *c = calloc(1, sizeof *c);
  if (!c) abort();
  c->run = cmd_add;
  c->argument = n;
  c->reply_fd = fds[1];
  loop_post(l, c);
  char ok;
  while (read(fds[0], &ok, 1) < 0 && errno == EINTR);
  int answer = c->answer; // NORACE after the reply
  free(c);
  close(fds[0]);
  close(fds[1]);
  return answer;
}

static struct loop loop;

static void *client(void *arg) {
  int best = 0;
  for (int i = 1; i <= 10; i++) {
    int state = loop_add(&loop, i);
    if (state > best) best = state;
  }
  *(int *)arg = best;
  return NULL;
}

int main(void) {
  pthread_t thread, clients[2];
  int best[2];
  pthread_mutex_init(&loop.lock, NULL);
  loop.wake_fd = eventfd(0, 0);
  if (loop.wake_fd < 0) return 1;
  pthread_create(&thread, NULL, loop_run, &loop);
  for (int i = 0; i < 2; i++) pthread_create(&clients[i], NULL, client, &best[i]);
  for (int i = 0; i < 2; i++) pthread_join(clients[i], NULL);
  struct command *quit = calloc(1, sizeof *quit);
  if (!quit) return 1;
  quit->run = cmd_quit;
  loop_post(&loop, quit);
  pthread_join(thread, NULL);
  printf("%d after %u\n", loop.state, loop.executed);
  close(loop.wake_fd);
  return best[0] + best[1] == 0;
}
