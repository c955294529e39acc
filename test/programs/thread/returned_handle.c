// VERBS check confirm
// The function to run is all that a thread is given, and the creator returns its handle: each join ends one thread.
#include <pthread.h>
#include <stdlib.h>

static void *run(void *function) {
  ((void (*)(void))function)();
  return NULL;
}

static pthread_t start(void (*function)(void)) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, run, function) != 0) abort();
  return thread;
}

static pthread_t source_thread, sink_thread;
static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static int queued;
static int read_count; // the source's own
static int written;
static int finished;

static void source(void) {
  read_count += 1; // NORACE there is one source
  pthread_mutex_lock(&queue_lock);
  queued += 1;
  pthread_mutex_unlock(&queue_lock);
}

static void sink(void) {
  pthread_mutex_lock(&queue_lock);
  queued -= 1;
  pthread_mutex_unlock(&queue_lock);
  written += 1;  // RACE early
  finished += 1; // NORACE who started it looks at it when it has ended
}

int main(void) {
  read_count = 0; // NORACE
  sink_thread = start(sink);
  source_thread = start(source);
  pthread_join(source_thread, NULL);
  int early = written;    // RACE early
  int count = read_count; // NORACE the source has ended
  pthread_join(sink_thread, NULL);
  return early + count + finished + queued; // NORACE
}
