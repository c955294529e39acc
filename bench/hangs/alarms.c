// A timer whose handler posts a semaphore again and again, while threads are created, end and wait.
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/time.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static sem_t rang;
static int shared;

static void ring(int unused) {
  (void)unused;
  sem_post(&rang);
}

static void *work(void *unused) {
  pthread_mutex_lock(&gate);
  shared++; // aimed at
  pthread_mutex_unlock(&gate);
  return unused;
}

int main(void) {
  struct itimerval often = {{0, 200}, {0, 200}}, never = {{0, 0}, {0, 0}};
  pthread_t threads[8];
  sem_init(&rang, 0, 0);
  signal(SIGALRM, ring);
  setitimer(ITIMER_REAL, &often, NULL);
  for (int i = 0; i < 8; i++) pthread_create(&threads[i], NULL, work, NULL);
  while (sem_wait(&rang) != 0) {
  }
  for (int i = 0; i < 8; i++) pthread_join(threads[i], NULL);
  setitimer(ITIMER_REAL, &never, NULL);
  return shared == 8 ? 0 : 1;
}
