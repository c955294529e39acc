// Six threads that wait for one condition, round after round, each woken by a broadcast of the last one; and two that pass a turn by signal.
#include <pthread.h>
#include <stddef.h>

enum { kThreads = 6, kRounds = 8 };
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER,
                      turned[2] = {PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER};
static int shared, arrived, rounds, turn;

static void *weather(void *unused) {
  for (int i = 0; i < kRounds; i++) {
    pthread_mutex_lock(&gate);
    shared++; // aimed at
    const int round = rounds;
    if (++arrived == kThreads) {
      arrived = 0;
      rounds++;
      pthread_cond_broadcast(&changed);
    }
    while (rounds == round) pthread_cond_wait(&changed, &gate);
    pthread_mutex_unlock(&gate);
  }
  return unused;
}

static void *takeTurns(void *number) {
  const int me = number != NULL;
  for (int i = 0; i < kRounds; i++) {
    pthread_mutex_lock(&gate);
    while (turn != me) pthread_cond_wait(&turned[me], &gate);
    turn = 1 - me;
    pthread_mutex_unlock(&gate);
    pthread_cond_signal(&turned[1 - me]);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[kThreads + 2];
  for (int i = 0; i < kThreads; i++) pthread_create(&threads[i], NULL, weather, NULL);
  for (int i = 0; i < 2; i++) pthread_create(&threads[kThreads + i], NULL, takeTurns, i == 0 ? NULL : &gate);
  for (int i = 0; i < kThreads + 2; i++) pthread_join(threads[i], NULL);
  return shared == kThreads * kRounds ? 0 : 1;
}
