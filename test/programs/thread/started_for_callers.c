// VERBS check run
// SHOWN
// Threads that are started for an object of the caller's: to the caller it is private before and after, not meanwhile.
#include <pthread.h>
#include <stdlib.h>

struct server {
  pthread_t thread;
  pthread_mutex_t lock;
  int limit;
  int served;
  int level;
};

static void *serve(void *argument) {
  struct server *server = argument;
  server->limit += 1; // RACE limit
  pthread_mutex_lock(&server->lock);
  server->served += 1; // NORACE
  pthread_mutex_unlock(&server->lock);
  return NULL;
}

// The thread runs while the function goes on.
static void run(struct server *server) {
  server->limit = 0; // NORACE
  pthread_create(&server->thread, NULL, serve, server);
  server->limit += 3; // RACE limit
  pthread_mutex_lock(&server->lock);
  server->served += 2; // NORACE
  pthread_mutex_unlock(&server->lock);
  pthread_join(server->thread, NULL);
  server->limit += 5; // NORACE
}

static void *watch(void *argument) {
  struct server *server = argument;
  server->level = 7; // RACE level
  return NULL;
}

static void raise(struct server *server) {
  server->level += 1; // RACE level
}

static void start(struct server *server) { pthread_create(&server->thread, NULL, watch, server); }

// By others: one starts it, another one is called while it runs.
static void begin(struct server *server) {
  start(server);
  raise(server);
}

int main(void) {
  struct server here = {0};
  pthread_mutex_init(&here.lock, NULL);
  run(&here);
  struct server *there = calloc(1, sizeof *there);
  begin(there);
  pthread_join(there->thread, NULL);
  int sum = here.limit + here.served + there->level; // NORACE
  free(there);
  return sum > 0 ? 0 : 1;
}
