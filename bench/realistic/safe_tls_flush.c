// SHOWN
// Trace buffers per thread (pthread_key, made on first use, flushed by the key's destructor), and a __thread error slot.
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct trace {
  size_t used;
  unsigned records;
  char text[128];
};

static pthread_key_t trace_key;
static pthread_once_t trace_once = PTHREAD_ONCE_INIT;
static pthread_mutex_t sink_lock = PTHREAD_MUTEX_INITIALIZER;
static char sink[16384];
static size_t sink_used;
static unsigned sink_records;
static const char *program_name;
static __thread int last_error;
static __thread char error_text[40];

static void trace_flush(struct trace *t) {
  pthread_mutex_lock(&sink_lock);
  if (sink_used + t->used <= sizeof sink) {
    memcpy(sink + sink_used, t->text, t->used);
    sink_used += t->used;
  }
  sink_records += t->records;
  pthread_mutex_unlock(&sink_lock);
  t->used = t->records = 0; // NORACE
}

static void trace_destroy(void *p) {
  trace_flush(p);
  free(p);
}

static void trace_setup(void) {
  pthread_key_create(&trace_key, trace_destroy);
  program_name = "tracer"; // NORACE
}

static struct trace *trace_mine(void) {
  pthread_once(&trace_once, trace_setup);
  struct trace *t = pthread_getspecific(trace_key);
  if (!t) {
    t = calloc(1, sizeof *t);
    if (!t) abort();
    pthread_setspecific(trace_key, t);
  }
  return t;
}

static void trace_log(const char *format, ...) {
  struct trace *t = trace_mine();
  char line[64];
  va_list args;
  va_start(args, format);
  int head = snprintf(line, sizeof line, "%s: ", program_name); // NORACE
  int n = head + vsnprintf(line + head, sizeof line - (size_t)head, format, args);
  va_end(args);
  if (n < head) return;
  if ((size_t)n >= sizeof line) n = sizeof line - 1;
  if (t->used + (size_t)n > sizeof t->text) trace_flush(t);
  memcpy(t->text + t->used, line, (size_t)n); // NORACE
  t->used += (size_t)n;                       // NORACE
  t->records++;                               // NORACE
}

static int checked_divide(int a, int b) {
  if (!b) {
    last_error = EDOM;                                  // NORACE
    snprintf(error_text, sizeof error_text, "%d/0", a); // NORACE
    return -1;
  }
  last_error = 0;
  return a / b;
}

static void *work(void *arg) {
  int base = *(int *)arg;
  for (int i = 0; i < 20; i++) {
    int q = checked_divide(base + i, i % 5);
    if (last_error)
      trace_log("error %d in %s\n", last_error, error_text); // NORACE
    else
      trace_log("%d\n", q); // NORACE
  }
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  int bases[3];
  for (int i = 0; i < 3; i++) {
    bases[i] = i * 100;
    pthread_create(&threads[i], NULL, work, &bases[i]);
  }
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  printf("%u records, %zu bytes\n", sink_records, sink_used);
  return sink_records != 60;
}
