// Threads that are cancelled wherever they wait, and clean up with locks and signals that others wait for.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

enum { kThreads = 5 };
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t book = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER, changed = PTHREAD_COND_INITIALIZER;
static sem_t none;
static int shared, cleaned, ends[2];

static void cleanUp(void *lock) {
  if (lock) pthread_rwlock_unlock(lock);
  pthread_mutex_lock(&gate);
  cleaned++;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&gate);
}

static void unlock(void *mutex) { pthread_mutex_unlock(mutex); }

static void *waitFor(void *number) {
  char byte;
  const int what = *(int *)number;
  if (what == 0) pthread_rwlock_wrlock(&book);
  pthread_cleanup_push(cleanUp, what == 0 ? &book : NULL);
  pthread_mutex_lock(&gate);
  shared++; // aimed at
  pthread_cleanup_push(unlock, &gate);
  while (what == 1) pthread_cond_wait(&never, &gate);
  pthread_cleanup_pop(1);
  while (what == 2) sem_wait(&none);
  while (what == 3) sleep(1000);
  while (what == 0 || what == 4) (void)!read(ends[0], &byte, 1);
  pthread_cleanup_pop(0);
  return NULL;
}

static void *readBook(void *unused) {
  pthread_rwlock_rdlock(&book);
  pthread_rwlock_unlock(&book);
  return unused;
}

int main(void) {
  static int numbers[kThreads] = {0, 1, 2, 3, 4};
  pthread_t threads[kThreads], reader;
  if (pipe(ends) != 0 || sem_init(&none, 0, 0) != 0) return 1;
  for (int i = 0; i < kThreads; i++) pthread_create(&threads[i], NULL, waitFor, &numbers[i]);
  usleep(1000);
  pthread_create(&reader, NULL, readBook, NULL);
  for (int i = 0; i < kThreads; i++) pthread_cancel(threads[i]);
  pthread_mutex_lock(&gate);
  while (cleaned < kThreads) {
    pthread_testcancel();
    pthread_cond_wait(&changed, &gate);
  }
  pthread_mutex_unlock(&gate);
  for (int i = 0; i < kThreads; i++) pthread_join(threads[i], NULL);
  pthread_join(reader, NULL);
  return 0;
}
