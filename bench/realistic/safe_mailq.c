// VERBS check run
// FLAGS -Wall
// SHOWN
// Mail queue: messages move between three queues under one lock; the deliverer who has taken a message owns it.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

enum state { ST_INCOMING, ST_ACTIVE, ST_DEFERRED, ST_DONE };

struct msg {
  TAILQ_ENTRY(msg) link;
  enum state state;
  int id;
  int tries;
  char rcpt[64];
  char *body;
  size_t len;
};
TAILQ_HEAD(msgq, msg);

static struct {
  pthread_mutex_t mtx;
  pthread_cond_t work;
  pthread_cond_t idle;
  struct msgq incoming;
  struct msgq deferred;
  int nactive;
  int ndelivered;
  int closing;
} mq = {.mtx = PTHREAD_MUTEX_INITIALIZER, .work = PTHREAD_COND_INITIALIZER, .idle = PTHREAD_COND_INITIALIZER};

static struct msg *msg_new(int id, const char *rcpt) {
  struct msg *m = calloc(1, sizeof(*m));

  m->id = id;
  snprintf(m->rcpt, sizeof(m->rcpt), "%s", rcpt);
  m->len = 128;
  m->body = malloc(m->len);
  memset(m->body, 'a' + id % 26, m->len);
  return m;
}

static void msg_free(struct msg *m) {
  free(m->body);
  free(m);
}

static void mq_submit(struct msg *m) {
  pthread_mutex_lock(&mq.mtx);
  m->state = ST_INCOMING;
  TAILQ_INSERT_TAIL(&mq.incoming, m, link);
  pthread_cond_signal(&mq.work);
  pthread_mutex_unlock(&mq.mtx);
}

static struct msg *mq_take(void) {
  struct msg *m;

  pthread_mutex_lock(&mq.mtx);
  for (;;) {
    if ((m = TAILQ_FIRST(&mq.incoming)) != NULL) {
      TAILQ_REMOVE(&mq.incoming, m, link);
      break;
    }
    if ((m = TAILQ_FIRST(&mq.deferred)) != NULL) {
      TAILQ_REMOVE(&mq.deferred, m, link);
      break;
    }
    if (mq.closing && mq.nactive == 0) break;
    pthread_cond_wait(&mq.work, &mq.mtx);
  }
  if (m != NULL) {
    m->state = ST_ACTIVE;
    mq.nactive++;
  }
  pthread_mutex_unlock(&mq.mtx);
  return m;
}

static void mq_finish(struct msg *m, int ok) {
  pthread_mutex_lock(&mq.mtx);
  mq.nactive--;
  if (ok) {
    m->state = ST_DONE;
    mq.ndelivered++;
  } else {
    m->state = ST_DEFERRED;
    TAILQ_INSERT_TAIL(&mq.deferred, m, link);
    m = NULL;
  }
  pthread_cond_broadcast(&mq.work);
  if (mq.nactive == 0) pthread_cond_signal(&mq.idle);
  pthread_mutex_unlock(&mq.mtx);
  if (m != NULL) msg_free(m);
}

static int deliver(struct msg *m) {
  unsigned sum = 0;

  m->tries++;
  for (size_t i = 0; i < m->len; i++) sum += (unsigned char)m->body[i];
  if (m->tries < 2 && m->id % 3 == 0) {
    m->body[0] = (char)sum;
    snprintf(m->rcpt, sizeof(m->rcpt), "retry-%d@example.org", m->id);
    return 0;
  }
  return 1;
}

static void *deliverer(void *arg) {
  struct msg *m;

  while ((m = mq_take()) != NULL) mq_finish(m, deliver(m));
  return arg;
}

int main(void) {
  pthread_t t[3];
  int done;

  TAILQ_INIT(&mq.incoming);
  TAILQ_INIT(&mq.deferred);
  for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, deliverer, NULL);
  for (int i = 0; i < 20; i++) mq_submit(msg_new(i, "someone@example.org"));
  pthread_mutex_lock(&mq.mtx);
  mq.closing = 1;
  pthread_cond_broadcast(&mq.work);
  while (mq.nactive > 0) pthread_cond_wait(&mq.idle, &mq.mtx);
  pthread_mutex_unlock(&mq.mtx);
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  done = mq.ndelivered;
  return done == 20 ? 0 : 1;
}
