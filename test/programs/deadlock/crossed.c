// VERBS confirm
// Two locks in both orders by two threads at once: in a thousand free runs it hardly ever closes, in directed ones it always does.
#include <pthread.h>

static pthread_mutex_t accounts = PTHREAD_MUTEX_INITIALIZER, journal = PTHREAD_MUTEX_INITIALIZER;
static int balance, entries;

static void *deposit(void *unused) {
  pthread_mutex_lock(&accounts);
  balance += 1;
  pthread_mutex_lock(&journal); // DEADLOCK cross
  entries += 1;
  pthread_mutex_unlock(&journal);
  pthread_mutex_unlock(&accounts);
  return unused;
}

static void *audit(void *unused) {
  pthread_mutex_lock(&journal);
  int seen = entries;
  pthread_mutex_lock(&accounts); // DEADLOCK cross
  seen -= balance;
  pthread_mutex_unlock(&accounts);
  pthread_mutex_unlock(&journal);
  return seen == 0 ? unused : NULL;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, deposit, NULL);
  pthread_create(&second, NULL, audit, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
