// Locks whose every instruction is assembly that waits inside itself, so that a thread that waits tells nothing; and one of them is taken
// around a mutex, so that the one who could go on is held back.
#include <pthread.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static int word, shared, counted;

static void lock(int *cell) {
  int one = 1;
  __asm__ __volatile__("1: pause\n\t"
                       "testl $1, %1\n\t"
                       "jnz 1b\n\t"
                       "movl $1, %0\n\t"
                       "xchgl %0, %1\n\t"
                       "testl %0, %0\n\t"
                       "jnz 1b"
                       : "+r"(one), "+m"(*cell)
                       :
                       : "memory", "cc");
}

static void unlock(int *cell) { __asm__ __volatile__("movl $0, %0" : "+m"(*cell) : : "memory"); }

static void *work(void *unused) {
  for (int i = 0; i < 4; i++) {
    lock(&word);
    counted++;
    pthread_mutex_lock(&gate);
    shared++; // aimed at
    pthread_mutex_unlock(&gate);
    unlock(&word);
  }
  return unused;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  return shared == 12 && counted == 12 ? 0 : 1;
}
