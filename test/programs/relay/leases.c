// VERBS check run
// SHOWN
// A struct on the stack holds what its thread has taken out of a list, in each round another one. Who still uses what it has put back does so beside
// the next owner.
#include <pthread.h>
#include <stdlib.h>

enum { kThreads = 2, kRounds = 50, kConns = 1 };

struct conn {
  struct conn *next;
  int uses, last;
};

struct lease {
  struct conn *conn;
};

static struct conn *idle;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void lease_take(struct lease *lease) {
  pthread_mutex_lock(&lock);
  lease->conn = idle;
  if (lease->conn) idle = lease->conn->next;
  pthread_mutex_unlock(&lock);
}

static void lease_end(struct lease *lease) {
  pthread_mutex_lock(&lock);
  lease->conn->next = idle;
  idle = lease->conn;
  pthread_mutex_unlock(&lock);
}

static void *work(void *unused) {
  (void)unused;
  for (int i = 0; i < kRounds;) {
    struct lease lease;
    lease_take(&lease);
    if (!lease.conn) continue;
    ++i;
    lease.conn->uses++; // NORACE
    lease_end(&lease);
    lease.conn->last++; // RACE last SELF
  }
  return NULL;
}

int main(void) {
  for (int i = 0; i < kConns; ++i) {
    struct conn *conn = calloc(1, sizeof *conn);
    if (!conn) abort();
    conn->next = idle;
    idle = conn;
  }
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; ++i) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], NULL);
  return 0;
}
