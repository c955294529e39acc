// VERBS check confirm
// Waiting gives the lock back and takes it again; a reader's lock is none for a write.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t shelf = PTHREAD_RWLOCK_INITIALIZER;
static int items, taken, books, readers;

static void *produce(void *unused) {
  pthread_mutex_lock(&lock);
  items += 1; // NORACE
  pthread_cond_signal(&filled);
  pthread_mutex_unlock(&lock);
  pthread_rwlock_wrlock(&shelf);
  books += 1; // NORACE
  pthread_rwlock_unlock(&shelf);
  return unused;
}

static void *consume(void *unused) {
  pthread_mutex_lock(&lock);
  while (items == 0) pthread_cond_wait(&filled, &lock);
  items -= 1; // NORACE
  pthread_mutex_unlock(&lock);
  taken += 1; // RACE taken SELF
  pthread_rwlock_rdlock(&shelf);
  if (books > 0) readers += 1; // RACE readers SELF
  pthread_rwlock_unlock(&shelf);
  return unused;
}

int main(void) {
  pthread_t threads[4];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, consume, NULL);
  for (int i = 2; i < 4; ++i) pthread_create(&threads[i], NULL, produce, NULL);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
  return 0;
}
