// Children made while other threads run, some that start another program, and handlers of their ends.
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static volatile sig_atomic_t ended;
static int shared, good;

static void child(int number) { ended += number != 0; }

static void *work(void *unused) {
  int status;
  const pid_t pid = fork();
  if (pid == 0) {
    execl("/bin/true", "true", (char *)NULL);
    _exit(1);
  }
  while (waitpid(pid, &status, 0) != pid) {
  }
  pthread_mutex_lock(&gate);
  shared++; // aimed at
  good += WIFEXITED(status) && WEXITSTATUS(status) == 0;
  pthread_mutex_unlock(&gate);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  signal(SIGCHLD, child);
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, work, NULL);
  if (system("exit 0") != 0) return 1;
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  return shared == 3 && good == 3 ? 0 : 1;
}
