// Timers and handlers: what a signal's handler does, it does at a time that no schedule knows. Here is only noted that it may be.

#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "runtime/schedule/director.h"

extern "C" [[noreturn]] void __longjmp_chk(struct __jmp_buf_tag *buffer, int value);

namespace deadheat::runtime::schedule {

namespace {

// Faults of the thread itself come from nowhere else.
bool comesFromOutside(int number) {
  return number != SIGSEGV && number != SIGBUS && number != SIGFPE && number != SIGILL && number != SIGABRT &&
         number != SIGTRAP && number != SIGPIPE;
}

void expect(bool soon) {
  if (isDirected()) scheduler.expectSignals(soon);
}

} // namespace

DEADHEAT_INTERPOSE unsigned alarm(unsigned seconds) {
  if (seconds != 0) expect(true);
  return DEADHEAT_REAL(alarm)(seconds);
}

DEADHEAT_INTERPOSE int setitimer(__itimer_which_t which, const itimerval *value, itimerval *old) {
  if (value && (value->it_value.tv_sec != 0 || value->it_value.tv_usec != 0)) expect(true);
  return DEADHEAT_REAL(setitimer)(which, value, old);
}

DEADHEAT_INTERPOSE int timer_settime(timer_t timer, int flags, const itimerspec *value, itimerspec *old) {
  expect(true);
  return DEADHEAT_REAL(timer_settime)(timer, flags, value, old);
}

DEADHEAT_INTERPOSE int sigaction(int number, const struct sigaction *action, struct sigaction *old) {
  if (action && action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN && comesFromOutside(number))
    expect(false);
  return DEADHEAT_REAL(sigaction)(number, action, old);
}

DEADHEAT_INTERPOSE sighandler_t signal(int number, sighandler_t handler) {
  if (handler != SIG_DFL && handler != SIG_IGN && comesFromOutside(number)) expect(false);
  return DEADHEAT_REAL(signal)(number, handler);
}

// Out of a handler that interrupted a wait.
#define JUMP(name)                                                                                                     \
  DEADHEAT_INTERPOSE void name(struct __jmp_buf_tag *buffer, int value) {                                              \
    leaveInside();                                                                                                     \
    DEADHEAT_REAL(name)(buffer, value);                                                                                \
    __builtin_unreachable();                                                                                           \
  }
JUMP(longjmp)
JUMP(_longjmp)
JUMP(siglongjmp)
JUMP(__longjmp_chk)

} // namespace deadheat::runtime::schedule
