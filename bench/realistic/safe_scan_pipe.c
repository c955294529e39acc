// SHOWN
// Scanners hand finished reports to the main thread by writing the pointer into a pipe; there is no lock, the pipe orders the accesses.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define NSCANNERS 3
#define NREPORTS 20

struct report {
  int scanner;
  int serial;
  unsigned findings;
  char title[32];
};

struct scanner {
  pthread_t tid;
  int number;
  int fd;
};

static int send_ptr(int fd, struct report *r) { return write(fd, &r, sizeof r) == (ssize_t)sizeof r ? 0 : -1; }

static struct report *recv_ptr(int fd) {
  struct report *r;

  return read(fd, &r, sizeof r) == (ssize_t)sizeof r ? r : NULL;
}

static void *scan(void *arg) {
  const struct scanner *s = arg;

  for (int i = 0; i < NREPORTS; i++) {
    struct report *r = malloc(sizeof *r);

    if (!r) break;
    r->scanner = s->number;
    r->serial = i;
    r->findings = (unsigned)(s->number * 7 + i) % 5;                 // NORACE
    snprintf(r->title, sizeof r->title, "scan %d/%d", s->number, i); // NORACE
    if (send_ptr(s->fd, r) != 0) {
      free(r);
      break;
    }
  }
  return NULL;
}

int main(void) {
  struct scanner sc[NSCANNERS];
  unsigned findings = 0, chars = 0;
  int fd[2], got = 0;

  if (pipe(fd) != 0) return 1;
  for (int i = 0; i < NSCANNERS; i++) {
    sc[i].number = i;
    sc[i].fd = fd[1];
    if (pthread_create(&sc[i].tid, NULL, scan, &sc[i]) != 0) return 1;
  }
  while (got < NSCANNERS * NREPORTS) {
    struct report *r = recv_ptr(fd[0]);

    if (!r) break;
    r->findings *= 2; // NORACE
    findings += r->findings;
    for (const char *p = r->title; *p; p++) chars++;
    free(r);
    got++;
  }
  for (int i = 0; i < NSCANNERS; i++) pthread_join(sc[i].tid, NULL);
  close(fd[0]);
  close(fd[1]);
  printf("%d reports, %u findings, %u characters\n", got, findings, chars);
  return 0;
}
