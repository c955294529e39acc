// SHOWN
// Buffers for each thread: _Thread_local, and pthread_getspecific with a destructor.
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct scratch {
  size_t used;
  char text[256];
};

static _Thread_local int last_error;
static _Thread_local char number[24];
static pthread_key_t scratch_key;
static pthread_once_t scratch_once = PTHREAD_ONCE_INIT;
static pthread_mutex_t total_lock = PTHREAD_MUTEX_INITIALIZER;
static size_t total;

static void scratch_release(void *p) {
  struct scratch *s = p;
  pthread_mutex_lock(&total_lock);
  total += s->used; // NORACE under the lock
  pthread_mutex_unlock(&total_lock);
  free(s);
}

static void scratch_setup(void) {
  if (pthread_key_create(&scratch_key, scratch_release)) abort();
}

static struct scratch *scratch_get(void) {
  pthread_once(&scratch_once, scratch_setup);
  struct scratch *s = pthread_getspecific(scratch_key);
  if (!s) {
    s = calloc(1, sizeof *s);
    if (!s) abort();
    pthread_setspecific(scratch_key, s);
  }
  return s;
}

static const char *format_number(long n) {
  snprintf(number, sizeof number, "%ld", n); // NORACE a buffer for each thread
  return number;
}

static int append(const char *format, ...) {
  struct scratch *s = scratch_get();
  va_list ap;
  va_start(ap, format);
  int n = vsnprintf(s->text + s->used, sizeof s->text - s->used, format, ap); // NORACE a buffer for each thread
  va_end(ap);
  if (n < 0 || (size_t)n >= sizeof s->text - s->used) {
    last_error = 28; // NORACE thread-local
    return -1;
  }
  s->used += (size_t)n; // NORACE a buffer for each thread
  return 0;
}

static void *worker(void *arg) {
  int id = *(int *)arg;
  for (int i = 0; i < 100; i++)
    if (append("%s,", format_number((long)id * i))) break;
  if (last_error) scratch_get()->text[0] = '!'; // NORACE a buffer for each thread
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  int ids[3];
  for (int i = 0; i < 3; i++) {
    ids[i] = i + 1;
    pthread_create(&threads[i], NULL, worker, &ids[i]);
  }
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  append("end");
  printf("%zu\n", total); // NORACE after the joins
  return 0;
}
