// VERBS confirm
// A writer of the table takes the lock of the log; whoever flushes the log, and waits there until a line came, reads the table. Read-write lock and mutex
// in both orders, a condition in between.
#include <pthread.h>
#include <unistd.h>

static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t log = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t written = PTHREAD_COND_INITIALIZER;
static int rows, lines, started;

static void *insert(void *unused) {
  pthread_mutex_lock(&log);
  started = 1;
  pthread_cond_signal(&written);
  pthread_mutex_unlock(&log);
  usleep(20000);
  pthread_rwlock_wrlock(&table);
  rows += 1;
  pthread_mutex_lock(&log); // DEADLOCK flush
  lines += 1;
  pthread_mutex_unlock(&log);
  pthread_rwlock_unlock(&table);
  return unused;
}

static void *flush(void *unused) {
  pthread_mutex_lock(&log);
  while (!started) pthread_cond_wait(&written, &log);
  pthread_rwlock_rdlock(&table); // DEADLOCK flush
  lines = rows;
  pthread_rwlock_unlock(&table);
  pthread_mutex_unlock(&log);
  return unused;
}

int main(void) {
  pthread_t writer, flusher;
  pthread_create(&flusher, NULL, flush, NULL);
  pthread_create(&writer, NULL, insert, NULL);
  pthread_join(writer, NULL);
  pthread_join(flusher, NULL);
  return 0;
}
