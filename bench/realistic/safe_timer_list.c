// SHOWN
// A timer module runs callbacks on its own thread with the lock dropped; a callback's state is read by the owner only after a cancel that waits.
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define NTIMERS 3

struct timer {
  struct timer *next;
  void (*fire)(void *);
  void *ctx;
  int armed;
};

static struct {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  struct timer *list;
  struct timer *running; /* being fired, lock dropped */
  int stop;
} wheel = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static void tick_wait(void) {
  struct timespec ts;

  clock_gettime(CLOCK_REALTIME, &ts);
  ts.tv_nsec += 1000000;
  if (ts.tv_nsec >= 1000000000) {
    ts.tv_sec++;
    ts.tv_nsec -= 1000000000;
  }
  pthread_cond_timedwait(&wheel.changed, &wheel.lock, &ts);
}

static void *wheel_main(void *arg) {
  (void)arg;
  pthread_mutex_lock(&wheel.lock);
  while (!wheel.stop) {
    for (struct timer *t = wheel.list; t; t = t->next) {
      if (!t->armed) continue;
      wheel.running = t;
      pthread_mutex_unlock(&wheel.lock);
      t->fire(t->ctx); // NORACE
      pthread_mutex_lock(&wheel.lock);
      wheel.running = NULL;
      pthread_cond_broadcast(&wheel.changed);
    }
    tick_wait();
  }
  pthread_mutex_unlock(&wheel.lock);
  return NULL;
}

static void timer_add(struct timer *t, void (*fire)(void *), void *ctx) {
  t->fire = fire; // NORACE
  t->ctx = ctx;
  pthread_mutex_lock(&wheel.lock);
  t->armed = 1;
  t->next = wheel.list;
  wheel.list = t;
  pthread_mutex_unlock(&wheel.lock);
}

static void timer_cancel(struct timer *t) {
  pthread_mutex_lock(&wheel.lock);
  t->armed = 0; /* stays listed: the wheel may be standing on it */
  while (wheel.running == t) pthread_cond_wait(&wheel.changed, &wheel.lock);
  pthread_mutex_unlock(&wheel.lock);
}

struct session {
  struct timer idle;
  unsigned beats;
  char note[24];
};

static void on_idle(void *ctx) {
  struct session *s = ctx;

  s->beats++;                                             // NORACE
  snprintf(s->note, sizeof s->note, "beat %u", s->beats); // NORACE
}

int main(void) {
  static struct session s[NTIMERS];
  const struct timespec nap = {0, 4000000};
  pthread_t t;

  pthread_create(&t, NULL, wheel_main, NULL);
  for (int i = 0; i < NTIMERS; i++) timer_add(&s[i].idle, on_idle, &s[i]);
  nanosleep(&nap, NULL);
  for (int i = 0; i < NTIMERS; i++) {
    timer_cancel(&s[i].idle);
    printf("session %d %s\n", i, s[i].beats ? "beat" : "never beat"); // NORACE
    strcpy(s[i].note, "closed");                                      // NORACE
  }
  pthread_mutex_lock(&wheel.lock);
  wheel.stop = 1;
  pthread_cond_broadcast(&wheel.changed);
  pthread_mutex_unlock(&wheel.lock);
  pthread_join(t, NULL);
  return 0;
}
