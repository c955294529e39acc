// VERBS check run
// SHOWN
// Who holds a lock of another object than the one that it changes: the audit has the bank's, not the account's, and a branch adds to the
// head office under its own. A job is changed under the lock of the list that it is in, now this one, now that one.
#include <pthread.h>
#include <stdlib.h>

struct account {
  pthread_mutex_t lock;
  struct account *parent;
  long balance;
  long total;
};

struct bank {
  pthread_mutex_t lock;
  struct account *accounts[4];
};

struct job {
  struct job *next;
  int state;
};

struct list {
  pthread_mutex_t lock;
  struct job *head;
};

static struct bank bank;
static struct list waiting, done;

static struct account *account_new(struct account *parent) {
  struct account *a = calloc(1, sizeof *a);
  if (!a) abort();
  pthread_mutex_init(&a->lock, NULL);
  a->parent = parent;
  return a;
}

static void deposit(struct account *a, long amount) {
  pthread_mutex_lock(&a->lock);
  a->balance += amount;                      // RACE balance
  if (a->parent) a->parent->total += amount; // RACE total SELF
  pthread_mutex_unlock(&a->lock);
}

static long audit(void) {
  long sum = 0;
  pthread_mutex_lock(&bank.lock);
  for (int i = 0; i < 4; i++) sum += bank.accounts[i]->balance; // RACE balance
  pthread_mutex_unlock(&bank.lock);
  return sum;
}

static void put(struct list *list, struct job *job, int state) {
  pthread_mutex_lock(&list->lock);
  job->state = state; // NORACE
  job->next = list->head;
  list->head = job;
  pthread_mutex_unlock(&list->lock);
}

static struct job *take(struct list *list) {
  pthread_mutex_lock(&list->lock);
  struct job *job = list->head;
  if (job) list->head = job->next;
  pthread_mutex_unlock(&list->lock);
  return job;
}

static void *teller(void *arg) {
  for (int i = 0; i < 200; i++) deposit(arg, i);
  struct job *job = take(&waiting);
  if (job) put(&done, job, 2);
  return NULL;
}

int main(void) {
  pthread_t threads[4];
  struct account *head = account_new(NULL);
  pthread_mutex_init(&bank.lock, NULL);
  pthread_mutex_init(&waiting.lock, NULL);
  pthread_mutex_init(&done.lock, NULL);
  for (int i = 0; i < 4; i++) bank.accounts[i] = account_new(head);
  for (int i = 0; i < 4; i++) {
    struct job *job = calloc(1, sizeof *job);
    if (!job) abort();
    put(&waiting, job, 1);
  }
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, teller, bank.accounts[i]);
  long seen = audit();
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  for (struct job *job; (job = take(&done));) free(job);
  for (int i = 0; i < 4; i++) free(bank.accounts[i]);
  free(head);
  return seen >= 0 ? 0 : 1;
}
