// More threads than can be led, one after the other; the last of them have something to tell.
#include <pthread.h>
#include <stddef.h>

enum { kThreads = 1100 };
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int shared, told;

static void *work(void *number) {
  pthread_mutex_lock(&gate);
  shared++; // aimed at
  if (*(int *)number > kThreads - 10) {
    told++;
    pthread_cond_signal(&changed);
  }
  pthread_mutex_unlock(&gate);
  return NULL;
}

static void *await(void *unused) {
  pthread_mutex_lock(&gate);
  while (told < 9) pthread_cond_wait(&changed, &gate);
  pthread_mutex_unlock(&gate);
  return unused;
}

int main(void) {
  static int numbers[kThreads];
  pthread_t waiting, threads[2];
  pthread_create(&waiting, NULL, await, NULL);
  for (int i = 0; i < kThreads; i += 2) {
    for (int j = 0; j < 2; j++) {
      numbers[i + j] = i + j;
      pthread_create(&threads[j], NULL, work, &numbers[i + j]);
    }
    for (int j = 0; j < 2; j++) pthread_join(threads[j], NULL);
  }
  pthread_join(waiting, NULL);
  return shared == kThreads ? 0 : 1;
}
