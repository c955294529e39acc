// One of two writers forgets the lock: the other's lock protects nothing.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static int deposits;
static int audits;

static void *careful(void *unused) {
  pthread_mutex_lock(&gate);
  deposits += 1; // RACE deposits
  audits += 1;   // NORACE the other side locks too
  pthread_mutex_unlock(&gate);
  return unused;
}

static void *careless(void *unused) {
  deposits += 2; // RACE deposits
  pthread_mutex_lock(&gate);
  audits += 1; // NORACE
  pthread_mutex_unlock(&gate);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, careful, NULL);
  pthread_create(&second, NULL, careless, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  printf("%d %d\n", deposits, audits); // NORACE both were joined
  return 0;
}
