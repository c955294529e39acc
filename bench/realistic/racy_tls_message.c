// SHOWN
// Workers format log lines in a thread-local scratch buffer and queue its address; the logger copies from it while the owner formats the next one.
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define NWORKERS 3
#define LINES 20
#define WIDTH 64

struct line_ref {
  const char *text;
  int worker;
};

static struct {
  pthread_mutex_t lock;
  pthread_cond_t more;
  struct line_ref ref[NWORKERS * LINES];
  int put, got;
} log_queue = {.lock = PTHREAD_MUTEX_INITIALIZER, .more = PTHREAD_COND_INITIALIZER};

static _Thread_local char scratch[WIDTH];
static pthread_barrier_t drained; /* workers stay until the log is out */

static void log_push(const char *text, int worker) {
  pthread_mutex_lock(&log_queue.lock);
  log_queue.ref[log_queue.put].text = text;
  log_queue.ref[log_queue.put].worker = worker;
  log_queue.put++;
  pthread_cond_signal(&log_queue.more);
  pthread_mutex_unlock(&log_queue.lock);
}

static struct line_ref log_pop(void) {
  struct line_ref r;

  pthread_mutex_lock(&log_queue.lock);
  while (log_queue.got == log_queue.put) pthread_cond_wait(&log_queue.more, &log_queue.lock);
  r = log_queue.ref[log_queue.got++];
  pthread_mutex_unlock(&log_queue.lock);
  return r;
}

static void *worker(void *arg) {
  int me = *(const int *)arg;

  for (int i = 0; i < LINES; i++) {
    snprintf(scratch, sizeof scratch, "worker %d finished item %d", me, i); // RACE scratch
    log_push(scratch, me);
  }
  pthread_barrier_wait(&drained);
  return NULL;
}

static void *logger(void *arg) {
  unsigned *sum = arg;
  char copy[WIDTH];

  for (int i = 0; i < NWORKERS * LINES; i++) {
    struct line_ref r = log_pop();

    memcpy(copy, r.text, sizeof copy); // RACE scratch
    copy[WIDTH - 1] = '\0';
    *sum += (unsigned)strlen(copy) + (unsigned)r.worker;
  }
  pthread_barrier_wait(&drained);
  return NULL;
}

int main(void) {
  static const int number[NWORKERS] = {0, 1, 2};
  pthread_t w[NWORKERS], lg;
  unsigned sum = 0;

  pthread_barrier_init(&drained, NULL, NWORKERS + 1);
  pthread_create(&lg, NULL, logger, &sum);
  for (int i = 0; i < NWORKERS; i++) pthread_create(&w[i], NULL, worker, (void *)&number[i]);
  for (int i = 0; i < NWORKERS; i++) pthread_join(w[i], NULL);
  pthread_join(lg, NULL);
  pthread_barrier_destroy(&drained);
  printf("logged %d lines, sum %u\n", log_queue.got, sum);
  return 0;
}
