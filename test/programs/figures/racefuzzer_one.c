// VERBS confirm
// Fig. 1 of "Race Directed Random Testing": the accesses to z race; those to x look as if they did, but y orders them.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x, y, z;

static void *first(void *unused) {
  x = 1; // NORACE y orders it with the read
  pthread_mutex_lock(&lock);
  y = 1; // NORACE
  pthread_mutex_unlock(&lock);
  if (z == 1) // RACE z
    puts("ERROR1");
  return unused;
}

static void *second(void *unused) {
  z = 1; // RACE z
  pthread_mutex_lock(&lock);
  if (y == 1) { // NORACE
    if (x != 1) // NORACE
      puts("ERROR2");
  }
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
