// VERBS check run
// SHOWN
// Who takes an event out of the list has it for itself, unless the one that has posted it goes on with it.
#include <pthread.h>
#include <stdlib.h>

struct event {
  struct event *next;
  int kind;
  int x, y;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct event *head;
static long seen;

static void post(struct event *event) {
  pthread_mutex_lock(&lock);
  event->next = head; // NORACE
  head = event;
  pthread_mutex_unlock(&lock);
}

static struct event *take(void) {
  pthread_mutex_lock(&lock);
  struct event *first = head;
  if (first) head = first->next;
  pthread_mutex_unlock(&lock);
  return first;
}

static void *mouse(void *unused) {
  struct event *event = calloc(1, sizeof *event);
  event->kind = 1; // NORACE
  event->x = 3;    // NORACE
  post(event);
  event->y = 4; // RACE y
  return unused;
}

static void *dispatch(void *unused) {
  for (int taken = 0; taken < 1;) {
    struct event *event = take();
    if (!event) continue;
    seen += event->kind + event->x; // NORACE
    seen += event->y;               // RACE y
    ++taken;
  }
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, mouse, NULL);
  pthread_create(&b, NULL, dispatch, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return seen < 4;
}
