// SHOWN
// Reference counts in atomics: what was done with the object happens before the last one frees it.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct object {
  atomic_int refs;
  void (*destroy)(struct object *);
};

#define container_of(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))

struct session {
  struct object base;
  char *user;
  pthread_mutex_t lock;
  unsigned requests;
};

static void object_init(struct object *o, void (*destroy)(struct object *)) {
  atomic_init(&o->refs, 1);
  o->destroy = destroy;
}

static void object_get(struct object *o) { atomic_fetch_add_explicit(&o->refs, 1, memory_order_relaxed); }

static void object_put(struct object *o) {
  if (atomic_fetch_sub_explicit(&o->refs, 1, memory_order_release) == 1) {
    atomic_thread_fence(memory_order_acquire);
    o->destroy(o);
  }
}

static atomic_uint destroyed;

static void session_destroy(struct object *o) {
  struct session *s = container_of(o, struct session, base);
  atomic_fetch_add(&destroyed, s->requests); // NORACE the last reference
  free(s->user);                             // NORACE the last reference
  pthread_mutex_destroy(&s->lock);
  free(s);
}

static struct session *session_new(const char *user) {
  struct session *s = malloc(sizeof *s);
  if (!s) abort();
  object_init(&s->base, session_destroy);
  s->user = strdup(user);
  pthread_mutex_init(&s->lock, NULL);
  s->requests = 0;
  return s;
}

static void *serve(void *arg) {
  struct session *s = arg;
  for (int i = 0; i < 10; i++) {
    pthread_mutex_lock(&s->lock);
    if (s->user[0] != '#') s->requests++;
    pthread_mutex_unlock(&s->lock);
  }
  object_put(&s->base);
  return NULL;
}

int main(void) {
  pthread_t threads[6];
  int n = 0;
  for (int i = 0; i < 3; i++) {
    char name[16];
    snprintf(name, sizeof name, "user%d", i);
    struct session *s = session_new(name);
    for (int k = 0; k < 2; k++) {
      object_get(&s->base);
      if (pthread_create(&threads[n], NULL, serve, s) == 0)
        n++;
      else
        object_put(&s->base);
    }
    object_put(&s->base);
  }
  for (int i = 0; i < n; i++) pthread_join(threads[i], NULL);
  printf("%u\n", atomic_load(&destroyed));
  return 0;
}
