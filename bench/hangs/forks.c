// Handlers of fork that lock, children of children, and every other way to start a process, beside threads that lock.
#define _GNU_SOURCE
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static int shared;

static void take(void) { pthread_mutex_lock(&gate); }
static void give(void) { pthread_mutex_unlock(&gate); }

static void bump(void) {
  take();
  shared++; // aimed at
  give();
}

static int endOf(pid_t child) {
  int status = 1;
  if (child <= 0 || waitpid(child, &status, 0) != child) abort();
  return status;
}

static void *forkTwice(void *unused) {
  pid_t child = fork();
  if (child == 0) {
    bump();
    pid_t grandchild = fork();
    if (grandchild == 0) _exit(3);
    _exit(WEXITSTATUS(endOf(grandchild)) == 3 ? 4 : 5);
  }
  if (WEXITSTATUS(endOf(child)) != 4) abort();
  bump();
  return unused;
}

static void *spawn(void *unused) {
  char *command[] = {"true", NULL};
  pid_t child = vfork();
  if (child == 0) {
    execv("/bin/true", command);
    _exit(1);
  }
  if (endOf(child) != 0) abort();
  bump();
  if (posix_spawn(&child, "/bin/true", NULL, NULL, command, environ) != 0 || endOf(child) != 0) abort();
  bump();
  return unused;
}

static void *shell(void *unused) {
  char word[16] = "";
  FILE *file = popen("echo word", "r");
  if (!file || !fgets(word, sizeof(word), file) || pclose(file) != 0 || word[0] != 'w') abort();
  bump();
  if (system("true") != 0) abort();
  bump();
  return unused;
}

int main(void) {
  void *(*const bodies[])(void *) = {forkTwice, forkTwice, spawn, shell};
  pthread_t threads[4];
  pthread_atfork(take, give, give);
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, bodies[i], NULL);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  return shared == 6 ? 0 : 1;
}
