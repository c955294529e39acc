// Signal handlers, which are told as such, longjmp out of them, and who sends signals: what a thread did before it sent one is before what the
// handler does, and what a thread does that waited for it.
//
// Misses  Which thread was meant: of one number all are one.
//
// A handler is called through ours, which is installed with the flags that the program asked for; when asked, the
// program's own is named. A signal that comes while its thread writes an event is sent again when that is written: a handler
// that leaves by longjmp would leave a stamp that nobody ever tells. It waits less than a microsecond, or as long as the
// thread waits for the reader.

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>

#include "runtime/interpose/annotations.h"
#include "runtime/interpose/notices.h"
#include "runtime/known.h"
#include "runtime/sampler.h"

extern "C" void __longjmp_chk(__jmp_buf_tag *, int);

namespace deadheat::runtime {
namespace {

using Handler = void (*)(int, siginfo_t *, void *);

void *handlers[_NSIG] = {};
bool wantsInfo[_NSIG] = {}; // the program asked for what the kernel knows of the signal (SA_SIGINFO)

static_assert(sizeof(siginfo_t) == sizeof(DeferredSignal::info));

// Raised by the instruction that was interrupted: it cannot wait.
bool isSynchronous(int signal) {
  return signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL || signal == SIGTRAP;
}

// What stands in for it where the kernel has written none: it does so for those who ask.
siginfo_t ownInfo(int signal) {
  siginfo_t info = {};
  info.si_signo = signal;
  info.si_code = SI_TKILL;
  return info;
}

// False: handle it now. Of signals that do not queue a second one is the same as the first, as if they were blocked.
bool defer(Thread &self, int signal, const siginfo_t *info) {
  if (self.busy <= thisFrame() || isSynchronous(signal) || self.deferred >= kMaxDeferred) return false;
  constexpr int kFirstThatQueues = 32;
  for (U32 index = 0; index != self.deferred && signal < kFirstThatQueues; ++index)
    if (self.own->deferred[index].number == static_cast<U32>(signal)) return true;
  U32 place = 1;
  asm volatile("xaddl %0, %1" : "+r"(place), "+m"(self.deferred) : : "memory", "cc"); // no signal can split it
  if (place >= kMaxDeferred) return --self.deferred, false;
  DeferredSignal &deferred = self.own->deferred[place];
  deferred.number = static_cast<U32>(signal);
  *reinterpret_cast<siginfo_t *>(deferred.info) = wantsInfo[signal] ? *info : ownInfo(signal);
  return true;
}

// The kernel passes three arguments to every handler, whatever its flags say.
void handle(int signal, siginfo_t *info, void *machine) {
  if (isAttached() && thread.own && defer(thread, signal, info)) return;
  const auto handler = reinterpret_cast<Handler>(__atomic_load_n(&handlers[signal], __ATOMIC_ACQUIRE));
  const Near near = nearOf(thread);
  tellEvent(CALLER, EventKind::SignalEnter, signal);
  const Ignored interrupted = ignoreNothing(CALLER);
  tellWait({SyncKind::User, &handlers[signal]}, CALLER);
  handler(signal, info, machine);
  ignoreAgain(interrupted, CALLER);
  tellEvent(CALLER, EventKind::SignalLeave, signal);
  if (isAttached() && thread.own) putBack(thread, near);
}

bool isSignal(int signal) { return signal > 0 && signal < _NSIG; }

bool isFunction(sighandler_t handler) { return handler != SIG_DFL && handler != SIG_IGN && handler != SIG_ERR; }

sighandler_t ours() { return reinterpret_cast<sighandler_t>(reinterpret_cast<void *>(handle)); }

sighandler_t wrapped(int signal, sighandler_t handler, bool withInfo) {
  if (!isAttached() || !isSignal(signal) || !isFunction(handler) || handler == ours()) return handler;
  tellSignal({SyncKind::User, &handlers[signal]}, CALLER); // what came before is before the handler
  wantsInfo[signal] = withInfo;
  __atomic_store_n(&handlers[signal], reinterpret_cast<void *>(handler), __ATOMIC_RELEASE);
  return ours();
}

// A hook that the handler interrupted is never finished.
void forgetInterrupted() {
  Thread &self = thread;
  self.busy = 0;
  if (self.sections != 0) leaveAllSections(self);
  if (isAttached()) dropWrites(self);
}

} // namespace

INTERPOSE(sighandler_t, signal, (int number, sighandler_t handler)) {
  void *const before = isSignal(number) ? handlers[number] : nullptr;
  const sighandler_t old = NEXT(signal)(number, wrapped(number, handler, false));
  return old == ours() ? reinterpret_cast<sighandler_t>(before) : old;
}

using SigAction = struct sigaction;

INTERPOSE(int, sigaction, (int number, const SigAction *action, SigAction *old)) {
  const auto next = reinterpret_cast<int (*)(int, const SigAction *, SigAction *)>(nextFunction(Symbol::sigaction));
  void *const before = isSignal(number) ? handlers[number] : nullptr;
  SigAction told;
  if (action) {
    told = *action;
    told.sa_handler = wrapped(number, action->sa_handler, (action->sa_flags & SA_SIGINFO) != 0);
    action = &told;
  }
  const int result = next(number, action, old);
  if (result == 0 && old && old->sa_handler == ours()) old->sa_handler = reinterpret_cast<sighandler_t>(before);
  return result;
}

void tellSent(int signal, const Caller &caller) {
  if (isAttached() && isSignal(signal)) tellSignal({SyncKind::User, &handlers[signal]}, caller);
}

namespace {

void tellReceived(int signal, const Caller &caller) {
  if (isAttached() && isSignal(signal)) tellWait({SyncKind::User, &handlers[signal]}, caller);
}

} // namespace

#define SEND(name, parameters, arguments)                                                                              \
  INTERPOSE(int, name, parameters) {                                                                                   \
    tellSent(number, CALLER);                                                                                          \
    return NEXT(name) arguments;                                                                                       \
  }

SEND(kill, (pid_t process, int number), (process, number))
SEND(tgkill, (pid_t process, pid_t task, int number), (process, task, number))
SEND(sigqueue, (pid_t process, int number, const sigval value), (process, number, value))
SEND(pthread_kill, (pthread_t task, int number), (task, number))
SEND(pthread_sigqueue, (pthread_t task, int number, const sigval value), (task, number, value))

INTERPOSE(int, sigwait, (const sigset_t *set, int *number)) {
  const int result = NEXT(sigwait)(set, number);
  if (result == 0) tellReceived(*number, CALLER);
  return result;
}

#define RECEIVE(name, parameters, arguments)                                                                           \
  INTERPOSE(int, name, parameters) {                                                                                   \
    const int number = NEXT(name) arguments;                                                                           \
    tellReceived(number, CALLER);                                                                                      \
    return number;                                                                                                     \
  }

RECEIVE(sigwaitinfo, (const sigset_t *set, siginfo_t *info), (set, info))
RECEIVE(sigtimedwait, (const sigset_t *set, siginfo_t *info, const timespec *timeout), (set, info, timeout))

#define JUMP(name)                                                                                                     \
  INTERPOSE([[noreturn]] void, name, (__jmp_buf_tag * where, int value)) {                                             \
    forgetInterrupted();                                                                                               \
    reinterpret_cast<void (*)(__jmp_buf_tag *, int)>(nextFunction(Symbol::name))(where, value);                        \
    __builtin_unreachable();                                                                                           \
  }

JUMP(longjmp)
JUMP(_longjmp)
JUMP(siglongjmp)
JUMP(__longjmp_chk)

} // namespace deadheat::runtime
