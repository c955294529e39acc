// VERBS check run confirm
// SHOWN
// A mail spooler: workers take messages from a linked queue; the statistics are guarded, except on the error path.
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORKERS 3
#define MESSAGES 48

struct message {
  struct message *next;
  int id;
  size_t length;
  char *body;
};

struct spool {
  pthread_mutex_t lock;
  pthread_cond_t more;
  struct message *head, **tail;
  bool closed;
};

struct spool_stats {
  pthread_mutex_t lock;
  long delivered, bytes;
  long failed;
};

static struct spool spool = {.lock = PTHREAD_MUTEX_INITIALIZER, .more = PTHREAD_COND_INITIALIZER};
static struct spool_stats stats = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct message *message_new(int id) {
  struct message *m = calloc(1, sizeof *m);
  if (!m) return NULL;
  m->id = id;
  m->body = malloc(64);
  if (!m->body) {
    free(m);
    return NULL;
  }
  snprintf(m->body, 64, "Subject: report %d\r\n\r\n%s", id, id % 4 ? "hello" : "");
  m->length = strlen(m->body);
  return m;
}

static void message_free(struct message *m) {
  free(m->body);
  free(m);
}

static void spool_put(struct spool *s, struct message *m) {
  m->next = NULL;
  pthread_mutex_lock(&s->lock);
  *s->tail = m;
  s->tail = &m->next;
  pthread_cond_signal(&s->more);
  pthread_mutex_unlock(&s->lock);
}

static struct message *spool_get(struct spool *s) {
  struct message *m = NULL;
  pthread_mutex_lock(&s->lock);
  while (!s->head && !s->closed) pthread_cond_wait(&s->more, &s->lock);
  if (s->head) {
    m = s->head;
    s->head = m->next;
    if (!s->head) s->tail = &s->head;
  }
  pthread_mutex_unlock(&s->lock);
  return m;
}

static int deliver(struct message *m) {
  int rc = -1;
  char *copy = malloc(m->length + 1);
  if (!copy) goto out;
  memcpy(copy, m->body, m->length + 1);
  char *text = strstr(copy, "\r\n\r\n");
  if (!text || !text[4]) goto fail;
  pthread_mutex_lock(&stats.lock);
  stats.delivered++;
  stats.bytes += (long)m->length;
  pthread_mutex_unlock(&stats.lock);
  rc = 0;
  goto out;
fail:
  stats.failed++; // RACE failed SELF
out:
  free(copy);
  return rc;
}

static void *worker(void *arg) {
  struct message *m;
  (void)arg;
  while ((m = spool_get(&spool))) {
    deliver(m);
    message_free(m);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[WORKERS];
  spool.tail = &spool.head;
  for (int i = 0; i < WORKERS; i++)
    if (pthread_create(&threads[i], NULL, worker, NULL)) return 2;
  for (int i = 0; i < MESSAGES; i++) {
    struct message *m = message_new(i);
    if (m) spool_put(&spool, m);
  }
  pthread_mutex_lock(&spool.lock);
  spool.closed = true;
  pthread_cond_broadcast(&spool.more);
  pthread_mutex_unlock(&spool.lock);
  for (int i = 0; i < WORKERS; i++) pthread_join(threads[i], NULL);
  printf("%ld delivered, %ld bytes, %ld failed\n", stats.delivered, stats.bytes, stats.failed);
  return 0;
}
