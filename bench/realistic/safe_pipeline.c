// SHOWN
// A pipeline of three stages joined by queues; messages with flexible array members wander through, a null message ends it.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct message {
  struct message *next;
  size_t len;
  unsigned crc;
  char text[];
};

struct queue {
  pthread_mutex_t lock;
  pthread_cond_t filled;
  struct message *first, **last;
  int closed;
};

struct stage {
  struct queue *in, *out;
  void (*transform)(struct message *);
  unsigned handled;
};

static void queue_init(struct queue *q) {
  pthread_mutex_init(&q->lock, NULL);
  pthread_cond_init(&q->filled, NULL);
  q->first = NULL;
  q->last = &q->first;
  q->closed = 0;
}

static void queue_put(struct queue *q, struct message *m) {
  pthread_mutex_lock(&q->lock);
  if (m) {
    m->next = NULL;
    *q->last = m;
    q->last = &m->next;
  } else {
    q->closed = 1;
  }
  pthread_cond_signal(&q->filled);
  pthread_mutex_unlock(&q->lock);
}

static struct message *queue_get(struct queue *q) {
  pthread_mutex_lock(&q->lock);
  while (!q->first && !q->closed) pthread_cond_wait(&q->filled, &q->lock);
  struct message *m = q->first;
  if (m) {
    q->first = m->next;
    if (!q->first) q->last = &q->first;
  }
  pthread_mutex_unlock(&q->lock);
  return m;
}

static void upper(struct message *m) {
  for (size_t i = 0; i < m->len; i++)
    if (m->text[i] >= 'a' && m->text[i] <= 'z') m->text[i] -= 32; // NORACE owned by the stage
}

static void checksum(struct message *m) {
  m->crc = 7;                                                                           // NORACE owned by the stage
  for (size_t i = 0; i < m->len; i++) m->crc = m->crc * 33 + (unsigned char)m->text[i]; // NORACE owned by the stage
}

static void *stage_run(void *arg) {
  struct stage *s = arg;
  struct message *m;
  while ((m = queue_get(s->in))) {
    s->transform(m);
    s->handled++; // NORACE a stage for each thread
    queue_put(s->out, m);
  }
  queue_put(s->out, NULL);
  return NULL;
}

int main(void) {
  struct queue queues[3];
  struct stage stages[2] = {{&queues[0], &queues[1], upper, 0}, {&queues[1], &queues[2], checksum, 0}};
  pthread_t threads[2];
  unsigned crc = 0;
  for (int i = 0; i < 3; i++) queue_init(&queues[i]);
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, stage_run, &stages[i]);
  for (int i = 0; i < 40; i++) {
    char text[40];
    int n = snprintf(text, sizeof text, "message number %d", i);
    struct message *m = malloc(sizeof *m + (size_t)n + 1);
    if (!m) return 1;
    m->len = (size_t)n;                   // NORACE not yet in the queue
    memcpy(m->text, text, (size_t)n + 1); // NORACE not yet in the queue
    queue_put(&queues[0], m);
  }
  queue_put(&queues[0], NULL);
  for (struct message *m; (m = queue_get(&queues[2]));) {
    crc ^= m->crc; // NORACE it came out of the pipeline
    free(m);
  }
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  printf("%08x %u\n", crc, stages[0].handled + stages[1].handled);
  return 0;
}
