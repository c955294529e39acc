// VERBS check run
// SHOWN
// Who takes the locks of all accounts, one by one, may look at all of them. Who takes those of other things may not.
#include <pthread.h>

enum { kAccounts = 4 };

static struct account {
  pthread_mutex_t lock;
  int balance;
  int fees;
} accounts[kAccounts];

static pthread_mutex_t branches[kAccounts];

static void *move(void *argument) {
  int k = *(int *)argument;
  pthread_mutex_lock(&accounts[k].lock);
  accounts[k].balance++; // NORACE
  accounts[k].fees++;    // RACE fees
  pthread_mutex_unlock(&accounts[k].lock);
  return NULL;
}

static void *audit(void *unused) {
  long sum = 0;
  for (int i = 0; i < kAccounts; i++) pthread_mutex_lock(&accounts[i].lock);
  for (int i = 0; i < kAccounts; i++) sum += accounts[i].balance; // NORACE
  for (int i = 0; i < kAccounts; i++) pthread_mutex_unlock(&accounts[i].lock);
  (void)unused;
  return (void *)sum;
}

static void *collect(void *unused) {
  long sum = 0;
  for (int i = 0; i < kAccounts; i++) pthread_mutex_lock(&branches[i]);
  for (int i = 0; i < kAccounts; i++) sum += accounts[i].fees; // RACE fees
  for (int i = 0; i < kAccounts; i++) pthread_mutex_unlock(&branches[i]);
  (void)unused;
  return (void *)sum;
}

int main(void) {
  pthread_t a, b, c, d;
  int k = 1, l = 2;
  for (int i = 0; i < kAccounts; i++) pthread_mutex_init(&accounts[i].lock, NULL);
  for (int i = 0; i < kAccounts; i++) pthread_mutex_init(&branches[i], NULL);
  pthread_create(&a, NULL, move, &k);
  pthread_create(&b, NULL, audit, NULL);
  pthread_create(&c, NULL, move, &l);
  pthread_create(&d, NULL, collect, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_join(c, NULL);
  pthread_join(d, NULL);
  return 0;
}
