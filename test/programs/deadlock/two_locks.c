// Two locks in both orders; another pair is guarded by a gate. The second thread polls until the first is through, so that
// no schedule closes the cycle.
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t up = PTHREAD_MUTEX_INITIALIZER, down = PTHREAD_MUTEX_INITIALIZER;
static int moves, through;

static void *first(void *unused) {
  pthread_mutex_lock(&left);
  pthread_mutex_lock(&right); // FALSE run: polling keeps the orders apart
  moves += 1;                 // NORACE
  pthread_mutex_unlock(&right);
  pthread_mutex_unlock(&left);
  pthread_mutex_lock(&gate);
  pthread_mutex_lock(&up);
  pthread_mutex_lock(&down); // NORACE the gate keeps the other order out
  through = 1;               // NORACE
  pthread_mutex_unlock(&down);
  pthread_mutex_unlock(&up);
  pthread_mutex_unlock(&gate);
  return unused;
}

static void waitForFirst(void) {
  for (int done = 0; !done;) {
    pthread_mutex_lock(&gate);
    done = through; // NORACE
    pthread_mutex_unlock(&gate);
    if (!done) sched_yield();
  }
}

static void *second(void *unused) {
  waitForFirst();
  pthread_mutex_lock(&right);
  pthread_mutex_lock(&left); // FALSE run: as above
  moves += 1;                // NORACE
  pthread_mutex_unlock(&left);
  pthread_mutex_unlock(&right);
  pthread_mutex_lock(&gate);
  pthread_mutex_lock(&down);
  pthread_mutex_lock(&up); // NORACE
  pthread_mutex_unlock(&up);
  pthread_mutex_unlock(&down);
  pthread_mutex_unlock(&gate);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  printf("%d\n", moves);
  return 0;
}
