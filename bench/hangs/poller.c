// One goes round, with locks and without rest, until the other is done with all of its visits.
#include <pthread.h>
#include <stddef.h>

enum { kVisits = 200 };
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER, own = PTHREAD_MUTEX_INITIALIZER;
static int shared, done, rounds;

static void *visit(void *unused) {
  for (int i = 0; i < kVisits; i++) {
    pthread_mutex_lock(&gate);
    shared++; // aimed at
    pthread_mutex_unlock(&gate);
  }
  pthread_mutex_lock(&own);
  done = 1;
  pthread_mutex_unlock(&own);
  return unused;
}

static void *goRound(void *unused) {
  for (int over = 0; !over;) {
    pthread_mutex_lock(&own);
    over = done;
    rounds++;
    pthread_mutex_unlock(&own);
  }
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, visit, NULL);
  pthread_create(&b, NULL, goRound, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return shared == kVisits ? 0 : 1;
}
