// poll, select, ppoll and epoll for event, timer and signal descriptors, with and without timeouts, by which threads talk.
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static int shared, events, timers, signals, slots;

static void bump(void) {
  pthread_mutex_lock(&gate);
  shared++; // aimed at
  pthread_mutex_unlock(&gate);
}

static void *pollForEvent(void *unused) {
  uint64_t value = 0;
  struct pollfd file = {events, POLLIN, 0};
  while (poll(&file, 1, 1) == 0) bump();
  if (read(events, &value, sizeof(value)) != sizeof(value)) abort();
  bump();
  eventfd_write(slots, 2);
  return unused;
}

static void *selectForTimer(void *unused) {
  uint64_t value = 0;
  fd_set files;
  FD_ZERO(&files);
  FD_SET(timers, &files);
  if (select(timers + 1, &files, NULL, NULL, NULL) != 1 || read(timers, &value, sizeof(value)) < 0) abort();
  bump();
  if (eventfd_read(slots, &value) != 0) abort();
  if (eventfd_write(events, 1) != 0) abort();
  return unused;
}

static void *waitForSignal(void *unused) {
  struct epoll_event event = {.events = EPOLLIN};
  struct signalfd_siginfo info;
  const int set = epoll_create1(0);
  if (epoll_ctl(set, EPOLL_CTL_ADD, signals, &event) != 0) abort();
  while (epoll_wait(set, &event, 1, -1) != 1) {
  }
  if (read(signals, &info, sizeof(info)) != sizeof(info)) abort();
  bump();
  close(set);
  return unused;
}

int main(void) {
  void *(*const bodies[])(void *) = {pollForEvent, selectForTimer, waitForSignal};
  pthread_t threads[3];
  sigset_t user;
  sigemptyset(&user);
  sigaddset(&user, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &user, NULL);
  events = eventfd(0, 0);
  slots = eventfd(1, EFD_SEMAPHORE);
  timers = timerfd_create(CLOCK_MONOTONIC, 0);
  signals = signalfd(-1, &user, 0);
  const struct itimerspec soon = {.it_value = {0, 1000000}};
  timerfd_settime(timers, 0, &soon, NULL);
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, bodies[i], NULL);
  poll(NULL, 0, 3);
  kill(getpid(), SIGUSR1);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  return shared >= 3 ? 0 : 1;
}
