// Handlers of signals that threads send each other: they post, or jump out of a wait; and a thread that waits for signals.
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static sem_t posted, ready, over;
static int shared, ends[2];
static _Thread_local sigjmp_buf out;

static void bump(void) {
  pthread_mutex_lock(&gate);
  shared++; // aimed at
  pthread_mutex_unlock(&gate);
}

static void post(int unused) {
  (void)unused;
  sem_post(&posted);
}

static void jump(int unused) {
  (void)unused;
  siglongjmp(out, 1);
}

// The call goes on after the signal.
static void *readOn(void *unused) {
  char byte;
  sem_post(&ready);
  if (read(ends[0], &byte, 1) != 1) abort();
  bump();
  return unused;
}

static void *jumpOut(void *unused) {
  if (sigsetjmp(out, 1) == 0) {
    sem_post(&ready);
    for (;;) pause();
  }
  bump();
  return unused;
}

static void *take(void *unused) {
  sigset_t set;
  int number = 0;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sem_post(&ready);
  if (sigwait(&set, &number) != 0 || number != SIGTERM) abort();
  bump();
  sem_post(&over);
  return unused;
}

static void await(sem_t *semaphore) {
  while (sem_wait(semaphore) != 0) {
  }
}

int main(void) {
  void *(*const bodies[])(void *) = {readOn, jumpOut, take};
  struct sigaction action = {.sa_handler = post, .sa_flags = SA_RESTART};
  pthread_t threads[3];
  sigset_t terminate;
  sigemptyset(&terminate);
  sigaddset(&terminate, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &terminate, NULL);
  sem_init(&posted, 0, 0);
  sem_init(&ready, 0, 0);
  sem_init(&over, 0, 0);
  sigaction(SIGUSR1, &action, NULL);
  action.sa_handler = jump;
  sigaction(SIGUSR2, &action, NULL);
  if (pipe(ends) != 0) return 1;
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, bodies[i], NULL);
  for (int i = 0; i < 3; i++) await(&ready);
  pthread_kill(threads[0], SIGUSR1);
  await(&posted);
  pthread_kill(threads[1], SIGUSR2);
  kill(getpid(), SIGTERM);
  await(&over);
  if (write(ends[1], "", 1) != 1) return 1;
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  return shared == 3 ? 0 : 1;
}
