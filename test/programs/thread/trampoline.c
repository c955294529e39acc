// VERBS check confirm
// All threads begin in one function, which calls the one that the creator chose: a listener is not a worker.
#include <pthread.h>
#include <stdlib.h>

struct start {
  void *(*function)(void *);
  void *data;
};

static void *run(void *argument) {
  struct start *start = argument;
  return start->function(start->data);
}

// With attributes and without.
static int start_sized(pthread_t *thread, size_t size, void *(*function)(void *), void *data) {
  if (size == 0) return pthread_create(thread, NULL, function, data);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, size);
  int result = pthread_create(thread, &attributes, function, data);
  pthread_attr_destroy(&attributes);
  return result;
}

int start_thread(pthread_t *thread, size_t size, void *(*function)(void *), void *data) {
  struct start *start = malloc(sizeof *start);
  start->function = function;
  start->data = data;
  return start_sized(thread, size, run, start);
}

static int next_expiry; // the listener's own
static int served;

struct job {
  int done;
};

static void *listen_for(void *unused) {
  next_expiry += 1; // NORACE there is one listener
  return unused;
}

static void *serve(void *argument) {
  struct job *job = argument;
  job->done = 1; // NORACE its own
  served += 1;   // RACE served SELF
  return NULL;
}

int main(void) {
  pthread_t listener, workers[3];
  struct job jobs[3];
  start_thread(&listener, 0, listen_for, NULL);
  for (int i = 0; i < 3; ++i) start_thread(&workers[i], 1 << 20, serve, &jobs[i]);
  for (int i = 0; i < 3; ++i) pthread_join(workers[i], NULL);
  pthread_join(listener, NULL);
  return served + jobs[0].done; // NORACE
}
