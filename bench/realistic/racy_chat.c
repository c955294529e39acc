// VERBS check run confirm
// FLAGS -Wall
// SHOWN
// Chat server: one reader thread per client over a socketpair. A client renames itself under its own lock, a broadcast reads the
// nick under the room's lock only.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define MAX_CLIENTS 8

struct client {
  int fd;
  unsigned id;
  unsigned long sent;
  char nick[32];
  pthread_mutex_t lock;
  struct room *room;
  pthread_t thread;
};

struct room {
  pthread_mutex_t lock;
  struct client *clients[MAX_CLIENTS];
  int n_clients;
  unsigned long n_messages;
};

static struct room *room_new(void) {
  struct room *r = calloc(1, sizeof *r);
  if (!r) abort();
  pthread_mutex_init(&r->lock, NULL);
  return r;
}

static int room_join(struct room *r, struct client *c) {
  int rc = -1;
  pthread_mutex_lock(&r->lock);
  if (r->n_clients < MAX_CLIENTS) {
    r->clients[r->n_clients++] = c;
    rc = 0;
  }
  pthread_mutex_unlock(&r->lock);
  return rc;
}

static void room_leave(struct room *r, struct client *c) {
  pthread_mutex_lock(&r->lock);
  for (int i = 0; i < r->n_clients; i++) {
    if (r->clients[i] == c) {
      r->clients[i] = r->clients[--r->n_clients];
      break;
    }
  }
  pthread_mutex_unlock(&r->lock);
}

static int room_find(struct room *r, const char *nick) {
  int found = 0;
  pthread_mutex_lock(&r->lock);
  for (int i = 0; i < r->n_clients; i++)
    if (strcmp(r->clients[i]->nick, nick) == 0) // RACE nick
      found++;
  pthread_mutex_unlock(&r->lock);
  return found;
}

static void room_say(struct room *r, struct client *from, const char *text) {
  pthread_mutex_lock(&r->lock);
  r->n_messages++;
  for (int i = 0; i < r->n_clients; i++) {
    struct client *to = r->clients[i];
    if (to != from && text[0]) to->sent++;
  }
  pthread_mutex_unlock(&r->lock);
}

static void client_rename(struct client *c, const char *nick) {
  pthread_mutex_lock(&c->lock);
  snprintf(c->nick, sizeof c->nick, "%s", nick); // RACE nick
  pthread_mutex_unlock(&c->lock);
}

static void *client_main(void *arg) {
  struct client *c = arg;
  char buf[64];
  ssize_t n;
  int answers = 0;

  if (room_join(c->room, c) < 0) return NULL;
  while ((n = recv(c->fd, buf, sizeof buf - 1, 0)) > 0) {
    buf[n] = '\0';
    if (strncmp(buf, "/nick ", 6) == 0)
      client_rename(c, buf + 6);
    else if (strncmp(buf, "/who ", 5) == 0)
      answers += room_find(c->room, buf + 5);
    else
      room_say(c->room, c, buf);
  }
  room_leave(c->room, c);
  return answers ? c : NULL;
}

int main(void) {
  static const char *script[] = {"hello", "/nick bob", "/who bob", "how are you", "/who alice", "/nick carol"};
  struct room *room = room_new();
  struct client *all[3];
  int ends[3];

  for (int i = 0; i < 3; i++) {
    int sv[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sv) < 0) return 1;
    all[i] = calloc(1, sizeof *all[i]);
    all[i]->fd = sv[0];
    all[i]->id = (unsigned)i;
    all[i]->room = room;
    snprintf(all[i]->nick, sizeof all[i]->nick, "user%d", i);
    pthread_mutex_init(&all[i]->lock, NULL);
    ends[i] = sv[1];
  }
  for (int i = 0; i < 3; i++)
    if (pthread_create(&all[i]->thread, NULL, client_main, all[i]) != 0) return 1;
  for (size_t s = 0; s < sizeof script / sizeof *script; s++)
    for (int i = 0; i < 3; i++) send(ends[i], script[s], strlen(script[s]), 0);
  for (int i = 0; i < 3; i++) close(ends[i]);
  for (int i = 0; i < 3; i++) pthread_join(all[i]->thread, NULL);
  unsigned long messages = room->n_messages;
  for (int i = 0; i < 3; i++) {
    close(all[i]->fd);
    free(all[i]);
  }
  free(room);
  return messages == 6 ? 0 : 1;
}
