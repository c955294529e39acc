// Sleeps and clocks: the virtual time of the scheduler. A sleep costs nothing; who sleeps wakes when all others wait.

#include "runtime/schedule/time.h"

#include <errno.h>
#include <sys/time.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "runtime/schedule/director.h"

namespace deadheat::runtime::schedule {

namespace {

constexpr U64 kSecond = 1000000000;

void sleepUntil(Task &task, U64 deadline, const void *place) {
  reach(task, Action::Sleep, nullptr, place);
  for (bool over = false; !over;) {
    pthread_testcancel();
    Inside inside;
    over = !scheduler.block(task, 0, deadline);
  }
  pthread_testcancel();
}

U64 toNanoseconds(const timespec *time) {
  return static_cast<U64>(time->tv_sec) * kSecond + static_cast<U64>(time->tv_nsec);
}

bool isVirtual(int clock) {
  return clock != CLOCK_PROCESS_CPUTIME_ID && clock != CLOCK_THREAD_CPUTIME_ID && clock >= 0;
}

U64 readClock(int clock) { return clockBase(clock) + scheduler.readClock(); }

} // namespace

void sleepFor(Task &task, U64 nanoseconds, const void *place) {
  sleepUntil(task, scheduler.now() + nanoseconds, place);
}

#define HERE __builtin_return_address(0)

DEADHEAT_INTERPOSE unsigned sleep(unsigned seconds) {
  Task *task = directed();
  if (!task) return DEADHEAT_REAL(sleep)(seconds);
  return sleepFor(*task, seconds * kSecond, HERE), 0;
}

DEADHEAT_INTERPOSE int usleep(useconds_t microseconds) {
  Task *task = directed();
  if (!task) return DEADHEAT_REAL(usleep)(microseconds);
  return sleepFor(*task, microseconds * 1000ul, HERE), 0;
}

DEADHEAT_INTERPOSE int nanosleep(const timespec *time, timespec *left) {
  Task *task = directed();
  if (!task) return DEADHEAT_REAL(nanosleep)(time, left);
  return sleepFor(*task, toNanoseconds(time), HERE), 0;
}

DEADHEAT_INTERPOSE int clock_nanosleep(clockid_t clock, int flags, const timespec *time, timespec *left) {
  Task *task = directed();
  if (!task || !isVirtual(clock)) return DEADHEAT_REAL(clock_nanosleep)(clock, flags, time, left);
  if (flags & TIMER_ABSTIME)
    sleepUntil(*task, deadlineOf(clock, time), HERE);
  else
    sleepFor(*task, toNanoseconds(time), HERE);
  return 0;
}

DEADHEAT_INTERPOSE int thrd_sleep(const timespec *time, timespec *left) {
  Task *task = directed();
  if (!task) return DEADHEAT_REAL(thrd_sleep)(time, left);
  return sleepFor(*task, toNanoseconds(time), HERE), 0;
}

DEADHEAT_INTERPOSE int clock_gettime(clockid_t clock, timespec *time) {
  if (!directed() || !isVirtual(clock)) return DEADHEAT_REAL(clock_gettime)(clock, time);
  const U64 now = readClock(clock);
  *time = {static_cast<time_t>(now / kSecond), static_cast<long>(now % kSecond)};
  return 0;
}

DEADHEAT_INTERPOSE int gettimeofday(timeval *time, void *zone) {
  if (!directed()) return DEADHEAT_REAL(gettimeofday)(time, zone);
  if (zone) DEADHEAT_REAL(gettimeofday)(time, zone);
  const U64 now = readClock(CLOCK_REALTIME);
  *time = {static_cast<time_t>(now / kSecond), static_cast<suseconds_t>(now % kSecond / 1000)};
  return 0;
}

DEADHEAT_INTERPOSE int timespec_get(timespec *time, int base) {
  if (!directed() || base != TIME_UTC) return DEADHEAT_REAL(timespec_get)(time, base);
  const U64 now = readClock(CLOCK_REALTIME);
  *time = {static_cast<time_t>(now / kSecond), static_cast<long>(now % kSecond)};
  return base;
}

DEADHEAT_INTERPOSE time_t time(time_t *result) {
  if (!directed()) return DEADHEAT_REAL(time)(result);
  const time_t now = static_cast<time_t>(readClock(CLOCK_REALTIME) / kSecond);
  if (result) *result = now;
  return now;
}

} // namespace deadheat::runtime::schedule
