// VERBS check
// SHOWN
// Who moves a counter on under a lock takes its number: what is found there, where it is put there anew each time, or what is there once.
#include <pthread.h>
#include <stdlib.h>

enum { SIZE = 8, JOBS = 20 };

struct job {
  int input, result, seen, checked, noted;
};

struct ring {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  struct job *slots[SIZE];
  unsigned head, tail;
};

static struct ring ring = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static void push(struct ring *r, struct job *job) {
  pthread_mutex_lock(&r->lock);
  while (r->tail - r->head == SIZE) pthread_cond_wait(&r->changed, &r->lock);
  r->slots[r->tail++ % SIZE] = job;
  pthread_cond_broadcast(&r->changed);
  pthread_mutex_unlock(&r->lock);
}

static struct job *pop(struct ring *r) {
  pthread_mutex_lock(&r->lock);
  while (r->tail == r->head) pthread_cond_wait(&r->changed, &r->lock);
  struct job *job = r->slots[r->head++ % SIZE];
  pthread_cond_broadcast(&r->changed);
  pthread_mutex_unlock(&r->lock);
  return job;
}

static int pop_into(struct ring *r, struct job **out) {
  pthread_mutex_lock(&r->lock);
  if (r->tail == r->head) {
    pthread_mutex_unlock(&r->lock);
    return 0;
  }
  *out = r->slots[r->head % SIZE];
  r->head = r->head + 1 == SIZE ? 0 : r->head + 1;
  pthread_mutex_unlock(&r->lock);
  return 1;
}

static struct job *peek(struct ring *r) {
  pthread_mutex_lock(&r->lock);
  struct job *job = r->head == r->tail ? NULL : r->slots[r->head % SIZE];
  pthread_mutex_unlock(&r->lock);
  return job;
}

static void *consume(void *arg) {
  for (struct job *job; (job = pop(&ring));) {
    job->result = job->input * 3; // NORACE
    struct job *next;
    if (pop_into(&ring, &next)) next->noted++; // NORACE
    struct job *first = peek(&ring);
    if (first) first->seen++; // RACE peeked SELF
  }
  return arg;
}

/* Who only goes round takes nothing out. */
struct worker {
  int load, given;
};
static struct worker pool[4];
static struct worker *workers[4];
static unsigned count, next_worker;

static void enlist(struct worker *worker) {
  pthread_mutex_lock(&ring.lock);
  workers[count++] = worker;
  pthread_mutex_unlock(&ring.lock);
}

static void *assign(void *arg) {
  for (int i = 0; i < JOBS; i++) {
    pthread_mutex_lock(&ring.lock);
    struct worker *worker = workers[next_worker++ % count];
    pthread_mutex_unlock(&ring.lock);
    worker->load++; // RACE rounds SELF
    pthread_mutex_lock(&ring.lock);
    worker = workers[next_worker];
    if (++next_worker == count) next_worker = 0;
    pthread_mutex_unlock(&ring.lock);
    worker->given++; // RACE back SELF
  }
  return arg;
}

/* Each number once. */
static struct job jobs[JOBS];
static int next_job, open_job;

static int claim(void) {
  pthread_mutex_lock(&ring.lock);
  int number = next_job < JOBS ? next_job++ : -1;
  pthread_mutex_unlock(&ring.lock);
  return number;
}

static void *work(void *arg) {
  for (int i; (i = claim()) >= 0;) {
    jobs[i].result = 1; // NORACE
    jobs[i / 2].seen++; // RACE halves SELF
    int j = open_job++; // RACE open SELF
    jobs[j].checked++;  // RACE unlocked SELF
  }
  return arg;
}

int main(void) {
  pthread_t threads[6];
  for (int i = 0; i < 4; i++) enlist(&pool[i]);
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, consume, NULL);
  for (int i = 2; i < 4; i++) pthread_create(&threads[i], NULL, assign, NULL);
  for (int i = 4; i < 6; i++) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < JOBS; i++) {
    struct job *job = calloc(1, sizeof *job);
    job->input = i;
    push(&ring, job);
  }
  for (int i = 0; i < 6; i++) pthread_join(threads[i], NULL);
  return 0;
}
