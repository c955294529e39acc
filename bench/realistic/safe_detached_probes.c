// SHOWN
// Detached probe threads write plain results and count down a latch; the main thread reads the results without a lock once the latch is open.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define NHOSTS 6

struct latch {
  pthread_mutex_t lock;
  pthread_cond_t open;
  int left;
};

struct probe {
  struct latch *latch;
  struct result {
    int port;
    unsigned rtt_us;
    char status;
  } *out;
  int host;
};

static struct latch done = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};
static struct result results[NHOSTS];

static void latch_down(struct latch *l) {
  pthread_mutex_lock(&l->lock);
  if (--l->left == 0) pthread_cond_broadcast(&l->open);
  pthread_mutex_unlock(&l->lock);
}

static void latch_wait(struct latch *l) {
  pthread_mutex_lock(&l->lock);
  while (l->left > 0) pthread_cond_wait(&l->open, &l->lock);
  pthread_mutex_unlock(&l->lock);
}

static void *probe_main(void *arg) {
  struct probe *p = arg;
  struct latch *l = p->latch;
  unsigned x = (unsigned)p->host + 1;

  for (int i = 0; i < 5000; i++) x = x * 69069u + 5;
  p->out->port = 8000 + p->host;       // NORACE
  p->out->rtt_us = x % 900;            // NORACE
  p->out->status = x & 64 ? 'U' : 'D'; // NORACE
  free(p);
  latch_down(l);
  return NULL;
}

static int probe_start(int host) {
  pthread_attr_t attr;
  pthread_t tid;
  struct probe *p = malloc(sizeof *p);
  int rc = -1;

  if (!p) return -1;
  p->latch = &done;
  p->out = &results[host];
  p->host = host;
  if (pthread_attr_init(&attr) != 0) goto out;
  pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
  rc = pthread_create(&tid, &attr, probe_main, p);
  pthread_attr_destroy(&attr);
out:
  if (rc != 0) free(p);
  return rc;
}

int main(void) {
  unsigned sum = 0;

  done.left = NHOSTS; // NORACE
  for (int h = 0; h < NHOSTS; h++)
    if (probe_start(h) != 0) latch_down(&done);
  latch_wait(&done);
  for (int h = 0; h < NHOSTS; h++) {
    sum += results[h].rtt_us;                                              // NORACE
    printf("host %d port %d %c\n", h, results[h].port, results[h].status); // NORACE
  }
  printf("total %u us\n", sum);
  return 0;
}
