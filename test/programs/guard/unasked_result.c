// VERBS check
// Functions that take a lock, or return an error without it: who does not look at the result relies on the lock. Who looks, or whose lock is
// only tried, knows better.
// SHOWN
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define MADE 0x4d616465

struct lock {
  unsigned state;
  pthread_mutex_t *mutex;
};

static struct lock table_lock, tried_lock;
static int entries, listed, asked, tried, after;

static void make(struct lock *lock) {
  lock->mutex = malloc(sizeof *lock->mutex);
  pthread_mutex_init(lock->mutex, NULL);
  lock->state = MADE;
}

static int take(struct lock *lock) {
  if (lock && lock->mutex && lock->state == MADE) {
    int error = pthread_mutex_lock(lock->mutex);
    if (error) perror("take");
    return error;
  }
  printf("this is no lock\n");
  return -1;
}

static int give(struct lock *lock) {
  if (lock && lock->mutex && lock->state == MADE) return pthread_mutex_unlock(lock->mutex);
  printf("this is no lock\n");
  return -1;
}

static int try_it(struct lock *lock) {
  if (lock->state != MADE) return -1;
  return pthread_mutex_trylock(lock->mutex) == 0 ? 0 : -1;
}

static int take_table(void) {
  if (!table_lock.mutex) return -1;
  take(&table_lock);
  return 0;
}

static void list(void) { listed += 1; } // NORACE

static void *work(void *unused) {
  take(&table_lock);
  entries += 1; // NORACE
  list();
  give(&table_lock);
  after += 1; // RACE after SELF
  take_table();
  entries += 1; // NORACE
  give(&table_lock);
  if (take(&table_lock) != 0) {
    asked += 1; // RACE asked SELF
    return unused;
  }
  give(&table_lock);
  try_it(&tried_lock);
  tried += 1; // RACE tried SELF
  give(&tried_lock);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  make(&table_lock);
  make(&tried_lock);
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return entries + listed + asked + tried + after == 0;
}
