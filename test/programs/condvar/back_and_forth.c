// VERBS check confirm
// Jobs go to the workers by one list and come back by another one. Who has taken a job out of a list has it alone, and what it points to;
// who touches it after it was put into a list does not.
#include <pthread.h>
#include <stdlib.h>

struct job {
  struct job *next;
  int cost, result, late;
  char *data;
};

struct list {
  pthread_mutex_t lock;
  pthread_cond_t filled;
  struct job *head;
};

static struct list in = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL};
static struct list out = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL};
static int handled;

static void put(struct list *list, struct job *job) {
  pthread_mutex_lock(&list->lock);
  job->next = list->head; // NORACE
  list->head = job;       // NORACE
  pthread_cond_signal(&list->filled);
  pthread_mutex_unlock(&list->lock);
}

static struct job *get(struct list *list) {
  pthread_mutex_lock(&list->lock);
  while (!list->head) pthread_cond_wait(&list->filled, &list->lock);
  struct job *job = list->head;
  list->head = job->next; // NORACE
  pthread_mutex_unlock(&list->lock);
  return job;
}

static void *work(void *argument) {
  struct job *job;
  while ((job = get(&in))->cost >= 0) { // NORACE
    job->result = job->cost * 2;        // NORACE
    job->data[0] = 1;                   // NORACE
    ++handled;                          // RACE handled SELF
    put(&out, job);
    job->late = 1; // RACE late // FALSE check: queues are not told apart, no job goes back to in
  }
  return argument;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, work, NULL);
  int sum = 0;
  for (int i = 0; i < 30; ++i) {
    struct job *job = calloc(1, sizeof *job);
    job->cost = i;         // NORACE
    job->data = malloc(8); // NORACE
    put(&in, job);
  }
  for (int i = 0; i < 30; ++i) {
    struct job *job = get(&out);
    sum += job->result + job->data[0]; // NORACE
    sum += job->late;                  // RACE late
  }
  return sum < 0;
}
