// What happens once and a lock that may not be had, round after round: each round comes after the first, and whether
// the lock was taken is known in all of them.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int table;
static int taken;
static int rounds;

static void fill(void) { table = 7; } // NORACE

static int look(void) {
  pthread_once(&once, fill);
  return table; // NORACE
}

static void *work(void *unused) {
  for (int i = 0; i < 50; ++i) {
    int weight = look();
    if (pthread_mutex_trylock(&lock) == 0) {
      taken += weight; // NORACE
      pthread_mutex_unlock(&lock);
    }
    rounds += weight; // RACE rounds SELF
  }
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  printf("%d %d\n", taken, rounds);
  return 0;
}
