// Locks and conditions made of futexes, one of which moves waiters from word to word; libraries that are loaded by threads; the first thread
// ends before the others.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { kThreads = 3 };
static atomic_int lock, sequence;
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static int shared, go, left = kThreads;

static long futex(atomic_int *word, int operation, int value, long more, atomic_int *second) {
  return syscall(SYS_futex, word, operation | FUTEX_PRIVATE_FLAG, value, more, second, 0);
}

static void take(void) {
  while (atomic_exchange(&lock, 2) != 0) futex(&lock, FUTEX_WAIT, 2, 0, NULL);
}

static void give(void) {
  atomic_store(&lock, 0);
  futex(&lock, FUTEX_WAKE, 1, 0, NULL);
}

static void await(void) {
  const int seen = sequence;
  give();
  futex(&sequence, FUTEX_WAIT, seen, 0, NULL);
  take();
}

static void tellAll(void) {
  sequence++;
  futex(&sequence, FUTEX_REQUEUE, 1, INT_MAX, &lock);
}

static void *work(void *unused) {
  void *library = dlopen("libm.so.6", RTLD_NOW);
  if (!library || !dlsym(library, "cos")) abort();
  take();
  while (!go) await();
  give();
  pthread_mutex_lock(&gate);
  shared++; // aimed at
  const int last = --left == 0;
  pthread_mutex_unlock(&gate);
  dlclose(library);
  if (last) exit(shared == kThreads ? 0 : 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  for (int i = 0; i < kThreads; i++) {
    pthread_create(&thread, NULL, work, NULL);
    pthread_detach(thread);
  }
  usleep(1000);
  take();
  go = 1;
  tellAll();
  give();
  pthread_exit(NULL);
}
