// VERBS confirm
// Three accounts, three clerks, each locks its own and then the next one's. A clerk starts when the one before it has signed off, so that in
// free runs they hardly ever meet.
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t accounts[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int balance[3];

static void *first(void *unused) {
  pthread_mutex_lock(&accounts[0]);
  pthread_mutex_lock(&accounts[1]); // DEADLOCK ring
  balance[1] += balance[0];
  pthread_mutex_unlock(&accounts[1]);
  pthread_mutex_unlock(&accounts[0]);
  return unused;
}

static void *second(void *unused) {
  usleep(20000);
  pthread_mutex_lock(&accounts[1]);
  pthread_mutex_lock(&accounts[2]); // DEADLOCK ring
  balance[2] += balance[1];
  pthread_mutex_unlock(&accounts[2]);
  pthread_mutex_unlock(&accounts[1]);
  return unused;
}

static void *third(void *unused) {
  usleep(40000);
  pthread_mutex_lock(&accounts[2]);
  pthread_mutex_lock(&accounts[0]); // DEADLOCK ring
  balance[0] += balance[2];
  pthread_mutex_unlock(&accounts[0]);
  pthread_mutex_unlock(&accounts[2]);
  return unused;
}

int main(void) {
  void *(*clerks[3])(void *) = {first, second, third};
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, clerks[i], NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  return 0;
}
