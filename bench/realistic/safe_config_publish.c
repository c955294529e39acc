// SHOWN
// Configuration is parsed into a fresh object and published by one release store; readers load it with acquire. Old ones
// go to a retired list, freed when all readers have ended.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct listener {
  char host[16];
  unsigned short port;
};

struct config {
  struct config *retired;
  unsigned version;
  unsigned listener_count;
  struct listener *listeners;
  char banner[32];
};

static _Atomic(struct config *) current;
static atomic_int stopping;
static struct config *retired_list; // only of the reloading thread, then of main

static struct config *config_parse(unsigned version) {
  struct config *c = calloc(1, sizeof *c);
  if (!c) return NULL;
  c->version = version;
  c->listener_count = 1 + version % 3;
  c->listeners = calloc(c->listener_count, sizeof *c->listeners);
  if (!c->listeners) goto fail;
  for (unsigned i = 0; i < c->listener_count; i++) {
    snprintf(c->listeners[i].host, sizeof c->listeners[i].host, "10.0.0.%u", i & 255);
    c->listeners[i].port = (unsigned short)(8000 + version + i);
  }
  strcpy(c->banner, "ready");
  return c;
fail:
  free(c);
  return NULL;
}

static void config_free(struct config *c) {
  free(c->listeners);
  free(c);
}

static void config_install(struct config *c) {
  struct config *old = atomic_exchange_explicit(&current, c, memory_order_acq_rel);
  if (!old) return;
  old->retired = retired_list; // NORACE
  retired_list = old;
}

static void *reload(void *arg) {
  (void)arg;
  for (unsigned v = 2; v < 40; v++) {
    struct config *c = config_parse(v);
    if (c) config_install(c);
  }
  atomic_store(&stopping, 1);
  return NULL;
}

static void *serve(void *arg) {
  unsigned long sum = 0;
  (void)arg;
  do {
    const struct config *c = atomic_load_explicit(&current, memory_order_acquire);
    for (unsigned i = 0; i < c->listener_count; i++)              // NORACE
      sum += c->listeners[i].port + strlen(c->listeners[i].host); // NORACE
    sum += c->banner[0] == 'r';                                   // NORACE
  } while (!atomic_load(&stopping));
  return (void *)sum;
}

int main(void) {
  pthread_t readers[2], updater;
  config_install(config_parse(1));
  for (int i = 0; i < 2; i++) pthread_create(&readers[i], NULL, serve, NULL);
  pthread_create(&updater, NULL, reload, NULL);
  pthread_join(updater, NULL);
  for (int i = 0; i < 2; i++) pthread_join(readers[i], NULL);
  unsigned freed = 0;
  for (struct config *c = retired_list, *next; c; c = next, freed++) {
    next = c->retired;
    config_free(c);
  }
  config_free(atomic_load(&current));
  printf("%u retired\n", freed);
  return 0;
}
