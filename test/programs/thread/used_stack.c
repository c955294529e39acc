// VERBS run
// Threads that nobody joins, one after the other: each has its condition where the one before had its own, on the stack that the library gives
// out again. The flag orders nothing.
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>
static atomic_int turn;
static void *work(void *argument) {
  pthread_cond_t cond;
  pthread_cond_init(&cond, 0);
  pthread_cond_destroy(&cond);
  atomic_store_explicit(&turn, *(int *)argument, memory_order_relaxed);
  return NULL;
}
int main(void) {
  static int numbers[6] = {1, 2, 3, 4, 5, 6};
  for (int i = 0; i < 6; i++) {
    pthread_t thread;
    pthread_create(&thread, 0, work, &numbers[i]);
    pthread_detach(thread);
    while (atomic_load_explicit(&turn, memory_order_relaxed) != i + 1) usleep(100);
    usleep(5000);
  }
  return 0;
}
