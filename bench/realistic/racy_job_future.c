// SHOWN
// A worker resolves futures and signals their condition variable, but stores the result and the predicate without the future's mutex.
#include <pthread.h>
#include <stdio.h>
#include <time.h>

#define NJOBS 5

struct future {
  pthread_mutex_t lock;
  pthread_cond_t cond;
  int done;
  long value;
};

struct job {
  struct job *next;
  long input;
  struct future fut;
};

static struct {
  pthread_mutex_t lock;
  pthread_cond_t more;
  struct job *head, **tail;
  int closed;
} queue = {.lock = PTHREAD_MUTEX_INITIALIZER, .more = PTHREAD_COND_INITIALIZER, .tail = &queue.head};

static void submit(struct job *j) {
  pthread_mutex_lock(&queue.lock);
  j->next = NULL;
  *queue.tail = j;
  queue.tail = &j->next;
  pthread_cond_signal(&queue.more);
  pthread_mutex_unlock(&queue.lock);
}

static struct job *take(void) {
  struct job *j;

  pthread_mutex_lock(&queue.lock);
  while (!queue.head && !queue.closed) pthread_cond_wait(&queue.more, &queue.lock);
  j = queue.head;
  if (j) {
    queue.head = j->next;
    if (!queue.head) queue.tail = &queue.head;
  }
  pthread_mutex_unlock(&queue.lock);
  return j;
}

static void resolve(struct future *f, long value) {
  f->value = value; // RACE val
  f->done = 1;      // RACE done
  pthread_cond_broadcast(&f->cond);
}

static void *worker(void *arg) {
  struct job *j;

  (void)arg;
  while ((j = take()) != NULL) {
    long acc = 1;

    for (long i = 0; i < 20000; i++) acc = (acc * 31 + j->input) % 1000003;
    resolve(&j->fut, acc);
  }
  return NULL;
}

static long future_get(struct future *f) {
  pthread_mutex_lock(&f->lock);
  while (!f->done) { // RACE done
    struct timespec ts;

    /* a wakeup got lost once in production: poll as well */
    clock_gettime(CLOCK_REALTIME, &ts);
    ts.tv_nsec += 5000000;
    if (ts.tv_nsec >= 1000000000) {
      ts.tv_sec++;
      ts.tv_nsec -= 1000000000;
    }
    pthread_cond_timedwait(&f->cond, &f->lock, &ts);
  }
  pthread_mutex_unlock(&f->lock);
  return f->value; // RACE val
}

int main(void) {
  static struct job jobs[NJOBS];
  pthread_t t;

  for (int i = 0; i < NJOBS; i++) {
    jobs[i].input = i + 3;
    pthread_mutex_init(&jobs[i].fut.lock, NULL);
    pthread_cond_init(&jobs[i].fut.cond, NULL);
  }
  pthread_create(&t, NULL, worker, NULL);
  for (int i = 0; i < NJOBS; i++) submit(&jobs[i]);
  for (int i = 0; i < NJOBS; i++) printf("job %d -> %ld\n", i, future_get(&jobs[i].fut));
  pthread_mutex_lock(&queue.lock);
  queue.closed = 1;
  pthread_cond_signal(&queue.more);
  pthread_mutex_unlock(&queue.lock);
  pthread_join(t, NULL);
  return 0;
}
