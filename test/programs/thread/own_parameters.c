// VERBS check confirm
// Functions that call each other do not name what they do in their callers' words: that a parameter is what each thread was
// started with has to be found out on the way down.
#include <pthread.h>
#include <stddef.h>

struct worker {
  int seen;
  int depth;
  int *total;
};

static int total;
static void odd(struct worker *worker, int left);

static void even(struct worker *worker, int left) {
  worker->seen += 1; // NORACE its own
  if (left > 0) odd(worker, left - 1);
}

static void odd(struct worker *worker, int left) {
  worker->depth = left; // NORACE its own
  *worker->total += 1;  // RACE total SELF
  if (left > 0) even(worker, left - 1);
}

static void shared_odd(struct worker *worker, int left);

static void shared_even(struct worker *worker, int left) {
  worker->seen += 1; // RACE shared SELF
  if (left > 0) shared_odd(worker, left - 1);
}

static struct worker everybodys;

static void shared_odd(struct worker *worker, int left) {
  if (left > 0) shared_even(left == 3 ? &everybodys : worker, left - 1);
}

static void *work(void *argument) {
  struct worker *worker = argument;
  even(worker, 9);
  shared_even(worker, 8);
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  struct worker workers[3];
  for (int i = 0; i < 3; ++i) {
    workers[i] = (struct worker){0, 0, &total};
    pthread_create(&threads[i], NULL, work, &workers[i]);
  }
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  return workers[0].seen + total; // NORACE
}
