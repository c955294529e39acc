// VERBS check confirm
// FLAGS -O0
// A signal handler is a thread that nobody starts, and the program ends with a thread still running.
#include <pthread.h>
#include <sched.h>
#include <signal.h>

static int pending;
static volatile sig_atomic_t stop;
static int ticks;

static void handle(int number) {
  pending += number; // RACE pending
  stop = 1;          // RACE stop
}

static void *tick(void *unused) {
  raise(SIGUSR1);
  for (;;) ticks += 1; // RACE ticks
  return unused;
}

int main(void) {
  pthread_t thread;
  signal(SIGUSR1, handle);
  pthread_create(&thread, NULL, tick, NULL);
  pthread_detach(thread);
  while (!stop) { // RACE stop
    pending -= 1; // RACE pending
    sched_yield();
  }
  return ticks; // RACE ticks
}
