// SHOWN
// A timer thread with a heap of deadlines; callbacks are called without the lock, on timers that were taken out.
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct timer {
  long long due;
  void (*fire)(struct timer *);
  void *context;
  unsigned fired;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct timer *heap[32];
static size_t heap_len;
static bool stopping;

static long long now_ns(void) {
  struct timespec ts;
  clock_gettime(CLOCK_REALTIME, &ts);
  return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

static void swap(size_t a, size_t b) {
  struct timer *t = heap[a];
  heap[a] = heap[b];
  heap[b] = t;
}

static void sift_up(size_t i) {
  while (i && heap[i]->due < heap[(i - 1) / 2]->due) {
    swap(i, (i - 1) / 2);
    i = (i - 1) / 2;
  }
}

static struct timer *heap_pop(void) {
  struct timer *t = heap[0];
  heap[0] = heap[--heap_len];
  for (size_t i = 0;;) {
    size_t least = i;
    for (size_t c = 2 * i + 1; c <= 2 * i + 2 && c < heap_len; c++)
      if (heap[c]->due < heap[least]->due) least = c;
    if (least == i) break;
    swap(i, least);
    i = least;
  }
  return t;
}

static bool timer_add(long long delay, void (*fire)(struct timer *), void *context) {
  struct timer *t = calloc(1, sizeof *t);
  bool ok = false;
  if (!t) return false;
  t->due = now_ns() + delay;
  t->fire = fire;
  t->context = context;
  pthread_mutex_lock(&lock);
  if (heap_len < 32 && !stopping) {
    heap[heap_len++] = t;
    sift_up(heap_len - 1);
    pthread_cond_signal(&changed);
    ok = true;
  }
  pthread_mutex_unlock(&lock);
  if (!ok) free(t); // NORACE it was not handed over
  return ok;
}

static void *timer_thread(void *unused) {
  pthread_mutex_lock(&lock);
  while (!stopping || heap_len) {
    if (!heap_len) {
      pthread_cond_wait(&changed, &lock);
      continue;
    }
    long long due = heap[0]->due;
    if (due > now_ns()) {
      struct timespec ts = {due / 1000000000LL, due % 1000000000LL};
      pthread_cond_timedwait(&changed, &lock, &ts);
      continue;
    }
    struct timer *t = heap_pop();
    pthread_mutex_unlock(&lock);
    t->fired++; // NORACE it was taken out
    t->fire(t);
    free(t); // NORACE it was taken out
    pthread_mutex_lock(&lock);
  }
  pthread_mutex_unlock(&lock);
  return unused;
}

static void count(struct timer *t) {
  int *n = t->context;
  ++*n; // NORACE the timer thread only
}

static void again(struct timer *t) {
  int *left = t->context;
  if (--*left > 0) timer_add(100000, again, left); // NORACE the timer thread only
}

int main(void) {
  pthread_t thread;
  int counted = 0, left = 5;
  pthread_create(&thread, NULL, timer_thread, NULL);
  for (int i = 0; i < 10; i++) timer_add(i % 3 * 200000LL, count, &counted);
  timer_add(50000, again, &left);
  struct timespec pause = {0, 3000000};
  nanosleep(&pause, NULL);
  pthread_mutex_lock(&lock);
  stopping = true;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  pthread_join(thread, NULL);
  printf("%d %d\n", counted, left >= 0); // NORACE after the join
  return 0;
}
