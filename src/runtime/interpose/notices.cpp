// Order from who arms a timer, or asks to be told when an operation is done, to what is done then: in a handler, or in a thread that libc makes.
//
// Claim   What a thread did before it asked is before the notice.
// Misses  Which notice: all that libc makes threads for are one, and so are timers by signals. What is read into a buffer meanwhile (aio) is not told.

#include <aio.h>
#include <mqueue.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "runtime/interpose/notices.h"

namespace deadheat::runtime {
namespace {

U64 timerSignals = 0; // a bit for each that timers send, the first for 1

Sync notice() { return {SyncKind::User, &timerSignals}; }

void tellAsked(const sigevent *event, const Caller &caller) {
  if (!event)
    tellSent(SIGALRM, caller);
  else if (event->sigev_notify == SIGEV_THREAD)
    tellSignal(notice(), caller);
  else if (event->sigev_notify != SIGEV_NONE)
    tellSent(event->sigev_signo, caller);
}

void noteTimer(const sigevent *event) {
  const int signal = !event ? SIGALRM : event->sigev_notify == SIGEV_THREAD ? 0 : event->sigev_signo;
  if (signal > 0 && signal < _NSIG) __atomic_fetch_or(&timerSignals, U64(1) << (signal - 1), __ATOMIC_RELAXED);
}

// Which timer sends which is not known here.
void tellArmed(const Caller &caller) {
  tellSignal(notice(), caller);
  for (U64 left = abi::loadRelaxed(timerSignals); left != 0; left &= left - 1)
    tellSent(__builtin_ctzll(left) + 1, caller);
}

int signalOf(int clock) { return clock == ITIMER_REAL ? SIGALRM : clock == ITIMER_VIRTUAL ? SIGVTALRM : SIGPROF; }

} // namespace

void tellNoticed(const Caller &caller) { tellWait(notice(), caller); }

INTERPOSE(unsigned, alarm, (unsigned seconds)) {
  if (isAttached()) tellSent(SIGALRM, CALLER);
  return NEXT(alarm)(seconds);
}

INTERPOSE(int, setitimer, (int clock, const itimerval *value, itimerval *old)) {
  if (isAttached()) tellSent(signalOf(clock), CALLER);
  return reinterpret_cast<int (*)(int, const itimerval *, itimerval *)>(nextFunction(Symbol::setitimer))(clock, value,
                                                                                                         old);
}

INTERPOSE(int, timer_create, (clockid_t clock, sigevent *event, timer_t *made)) {
  noteTimer(event);
  return NEXT(timer_create)(clock, event, made);
}

INTERPOSE(int, timer_settime, (timer_t timer, int flags, const itimerspec *value, itimerspec *old)) {
  if (isAttached()) tellArmed(CALLER);
  return NEXT(timer_settime)(timer, flags, value, old);
}

INTERPOSE(int, mq_notify, (mqd_t queue, const sigevent *event)) {
  if (isAttached() && event) tellAsked(event, CALLER);
  return NEXT(mq_notify)(queue, event);
}

#define ASK(name, parameters, arguments)                                                                               \
  INTERPOSE(int, name, parameters) {                                                                                   \
    if (isAttached()) tellAsked(&block->aio_sigevent, CALLER);                                                         \
    return NEXT(name) arguments;                                                                                       \
  }
#define ASK_FOR_ALL(name, Block)                                                                                       \
  INTERPOSE(int, name, (int mode, Block *const blocks[], int count, sigevent *event)) {                                \
    for (int index = 0; isAttached() && index < count; ++index)                                                        \
      if (blocks[index]) tellAsked(&blocks[index]->aio_sigevent, CALLER);                                              \
    if (isAttached() && event) tellAsked(event, CALLER);                                                               \
    return NEXT(name)(mode, blocks, count, event);                                                                     \
  }

ASK(aio_read, (aiocb * block), (block))
ASK(aio_read64, (aiocb64 * block), (block))
ASK(aio_write, (aiocb * block), (block))
ASK(aio_write64, (aiocb64 * block), (block))
ASK(aio_fsync, (int operation, aiocb *block), (operation, block))
ASK(aio_fsync64, (int operation, aiocb64 *block), (operation, block))
ASK_FOR_ALL(lio_listio, aiocb)
ASK_FOR_ALL(lio_listio64, aiocb64)

} // namespace deadheat::runtime
