// A byte through a pipe orders what came before the write with what comes after the read.
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int ends[2];
static int message;
static int afterthought;

static void *receive(void *unused) {
  char byte;
  if (read(ends[0], &byte, 1) != 1) return unused;
  afterthought += message; // RACE late // FALSE check: what a pipe orders
  return unused;
}

int main(void) {
  pthread_t thread;
  if (pipe(ends) != 0) return 1;
  pthread_create(&thread, NULL, receive, NULL);
  message = 1; // FALSE check: what a pipe orders
  if (write(ends[1], "x", 1) != 1) return 1;
  afterthought = 2; // RACE late
  pthread_join(thread, NULL);
  printf("%d\n", message);
  return 0;
}
