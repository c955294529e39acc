// VERBS run
// The read end of a pipe has the number that another pipe had, which was closed by pclose, or got it by dup2.
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int data[2], ends[2];

static void *send(void *which) {
  data[(long)which] = 1; // NORACE
  write(ends[1], "", 1);
  return 0;
}

static void receive(long which) {
  char byte;
  pthread_t sender;
  pthread_create(&sender, 0, send, (void *)which);
  read(ends[0], &byte, 1);
  data[which]++; // NORACE
  pthread_join(sender, 0);
}

int main(void) {
  char byte;
  FILE *words = popen("echo", "r");
  if (!words) return 1;
  read(fileno(words), &byte, 1);
  pclose(words);
  if (pipe(ends) != 0) return 1;
  receive(0);

  int before = ends[0];
  if (pipe(ends) != 0) return 1;
  dup2(ends[0], before);
  ends[0] = before;
  receive(1);
  return 0;
}
