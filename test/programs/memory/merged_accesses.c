// VERBS run confirm
// FLAGS -O2 -g -pthread
// The optimiser makes one access of several: which one it was is told by the member that the other side names.
#include <pthread.h>
#include <stdio.h>

struct stats {
  long bad, open, refused, denied;
};

static struct stats buffer, *stats = &buffer;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) static void update(int level) {
  pthread_mutex_lock(&lock);
  switch (level) {
  case 0: ++stats->bad; break;
  case 1: ++stats->open; break;
  case 2: --stats->open; break;
  case 3: ++stats->refused; break; // RACE refused
  case 4: ++stats->denied; break;
  }
  pthread_mutex_unlock(&lock);
}

static void *work(void *unused) {
  update(3);
  return unused;
}

int main(int argc, char **argv) {
  (void)argv;
  pthread_t thread;
  update(argc - 1);
  pthread_create(&thread, NULL, work, NULL);
  printf("%ld\n", stats->refused); // RACE refused
  pthread_join(thread, NULL);
  return 0;
}
