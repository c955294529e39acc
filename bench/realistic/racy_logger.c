// SHOWN
// A logger whose time stamp is formatted into a static buffer, like ctime, before the lock is taken.
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define RING 32
#define LINE 128

static struct {
  pthread_mutex_t lock;
  char lines[RING][LINE];
  unsigned next;
} ring = {.lock = PTHREAD_MUTEX_INITIALIZER};

static const char *stamp(void) {
  static char text[32];
  struct timespec ts;
  clock_gettime(CLOCK_REALTIME, &ts);
  snprintf(text, sizeof text, "%ld.%06ld", (long)ts.tv_sec % 1000, ts.tv_nsec / 1000); // RACE stamp SELF // RACE used
  return text;
}

static void log_line(const char *level, const char *format, ...) {
  char message[LINE / 2];
  va_list ap;
  va_start(ap, format);
  vsnprintf(message, sizeof message, format, ap);
  va_end(ap);
  const char *when = stamp();
  pthread_mutex_lock(&ring.lock);
  char *line = ring.lines[ring.next++ % RING];
  snprintf(line, LINE, "%s %s %s", when, level, message); // RACE used
  pthread_mutex_unlock(&ring.lock);
}

static void *worker(void *arg) {
  const char *name = arg;
  for (int i = 0; i < 20; i++) log_line("info", "%s at step %d", name, i);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  log_line("info", "starting");
  pthread_create(&a, NULL, worker, "alpha");
  pthread_create(&b, NULL, worker, "beta");
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  log_line("info", "done");
  for (unsigned i = 0; i < RING; i++) puts(ring.lines[(ring.next + i) % RING]);
  return 0;
}
