// SHOWN
// A stream like stdio: locked only if it is shared, but the flag is set after the second thread was started.
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct stream {
  pthread_mutex_t lock;
  bool shared;
  size_t used;
  char buffer[4096];
};

static struct stream *stream_new(void) {
  struct stream *s = calloc(1, sizeof *s);
  if (!s) abort();
  pthread_mutex_init(&s->lock, NULL);
  return s;
}

static void stream_put(struct stream *s, const char *text) {
  bool locked = s->shared; // RACE shared
  size_t len = strlen(text);
  if (locked) pthread_mutex_lock(&s->lock);
  if (s->used + len < sizeof s->buffer) {
    memcpy(s->buffer + s->used, text, len); // RACE buffer SELF
    s->used += len;                         // RACE used SELF
  }
  if (locked) pthread_mutex_unlock(&s->lock);
}

static void *writer(void *arg) {
  for (int i = 0; i < 50; i++) stream_put(arg, "line\n");
  return NULL;
}

int main(void) {
  struct stream *s = stream_new();
  pthread_t a, b;
  pthread_create(&a, NULL, writer, s);
  s->shared = true; // RACE shared
  pthread_create(&b, NULL, writer, s);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("%zu\n", s->used);
  free(s);
  return 0;
}
