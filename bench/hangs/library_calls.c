// Calls of the C library as accesses, beside locks that are only tried, by threads that also allocate and free, and in a handler.
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static char text[64];
static volatile size_t seen;

static void handle(int number) { seen = strlen(number == SIGUSR1 ? "handled" : "what"); }

static void *work(void *argument) {
  for (int i = 0; i < 20; ++i) {
    char *own = malloc(32);
    snprintf(own, 32, "%s %d", (const char *)argument, i);
    while (pthread_mutex_trylock(&other) != 0) sched_yield();
    pthread_mutex_lock(&gate);
    strcpy(text, own); // aimed at
    pthread_mutex_unlock(&gate);
    pthread_mutex_unlock(&other);
    if (i == 7) raise(SIGUSR1);
    free(own);
  }
  return argument;
}

int main(void) {
  signal(SIGUSR1, handle);
  pthread_t threads[3];
  const char *names[3] = {"first", "second", "third"};
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, work, (void *)names[i]);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  return strlen(text) == 0 || seen != 7;
}
