// VERBS check run confirm
// SHOWN
// Events with a union go through a ring guarded by a semaphore pair and a lock; one producer reuses the event it has sent.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

enum kind { KEY, MOVE, END };
struct event {
  enum kind kind;
  union {
    struct {
      int code;
    } key;
    struct {
      int x, y;
    } move;
  } u;
};

#define SIZE 4
static struct event *ring[SIZE];
static unsigned in, out;
static sem_t filled, empty;
static pthread_mutex_t ring_lock = PTHREAD_MUTEX_INITIALIZER;

static void post(struct event *e) {
  sem_wait(&empty);
  pthread_mutex_lock(&ring_lock);
  ring[in++ % SIZE] = e;
  pthread_mutex_unlock(&ring_lock);
  sem_post(&filled);
}

static struct event *receive(void) {
  sem_wait(&filled);
  pthread_mutex_lock(&ring_lock);
  struct event *e = ring[out++ % SIZE];
  pthread_mutex_unlock(&ring_lock);
  sem_post(&empty);
  return e;
}

static void *keyboard(void *arg) {
  for (int i = 0; i < 20; i++) {
    struct event *e = malloc(sizeof *e);
    if (!e) abort();
    e->kind = KEY;
    e->u.key.code = i;
    post(e);
  }
  return arg;
}

static void *mouse(void *arg) {
  struct event *e = calloc(1, sizeof *e);
  if (!e) abort();
  e->kind = MOVE;
  for (int i = 0; i < 20; i++) {
    e->u.move.y = i; // RACE y
    post(e);
  }
  return arg;
}

static void *dispatch(void *arg) {
  long sum = 0;
  for (int i = 0; i < 40; i++) {
    struct event *e = receive();
    if (e->kind == KEY) {
      sum += e->u.key.code;
      free(e);
    } else {
      sum += e->u.move.y; // RACE y
    }
  }
  *(long *)arg = sum;
  return NULL;
}

int main(void) {
  pthread_t k, m, d;
  long sum = 0;
  sem_init(&filled, 0, 0);
  sem_init(&empty, 0, SIZE);
  pthread_create(&k, NULL, keyboard, NULL);
  pthread_create(&m, NULL, mouse, NULL);
  pthread_create(&d, NULL, dispatch, &sum);
  pthread_join(k, NULL);
  pthread_join(m, NULL);
  pthread_join(d, NULL);
  printf("%d\n", sum > 0);
  return 0;
}
