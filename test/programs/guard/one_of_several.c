// VERBS check confirm
// A lock in one of several objects is the lock of the one that is accessed, whichever that is.
#include <pthread.h>
#include <stdlib.h>

struct account {
  pthread_mutex_t lock;
  long balance;
  long reserve;
  long limit;
};

static struct account house = {PTHREAD_MUTEX_INITIALIZER, 0, 0, 0};

static void deposit(struct account *to) {
  pthread_mutex_lock(&to->lock);
  ++to->balance; // NORACE
  pthread_mutex_unlock(&to->lock);
}

static void pay(struct account *from) {
  struct account *payer = from ? from : &house;
  pthread_mutex_lock(&payer->lock);
  --payer->limit; // NORACE
  pthread_mutex_unlock(&payer->lock);
  deposit(payer);
  --payer->reserve; // RACE reserve SELF
}

static void *worker(void *argument) {
  pay(argument);
  return NULL;
}

static struct account *make(void) {
  struct account *made = malloc(sizeof *made);
  pthread_mutex_init(&made->lock, NULL);
  made->balance = made->reserve = made->limit = 0;
  return made;
}

int main(int count, char **words) {
  (void)words;
  struct account *shared = count > 9 ? NULL : make();
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, worker, shared);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
