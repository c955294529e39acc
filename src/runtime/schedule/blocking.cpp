// Calls that wait in the kernel for something that is not a task, and the futexes that programs use by hand.

#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "runtime/schedule/director.h"
#include "runtime/schedule/memory_call.h"
#include "runtime/schedule/time.h"

// What calls become where the compiler checks the sizes of buffers.
extern "C" {
ssize_t __read_chk(int file, void *to, size_t size, size_t room);
ssize_t __recv_chk(int file, void *to, size_t size, size_t room, int flags);
ssize_t __recvfrom_chk(int file, void *to, size_t size, size_t room, int flags, sockaddr *from, socklen_t *length);
int __poll_chk(pollfd *files, nfds_t count, int timeout, size_t room);
int __ppoll_chk(pollfd *files, nfds_t count, const timespec *timeout, const sigset_t *mask, size_t room);
}

namespace deadheat::runtime::schedule {

namespace {

// Out while it lives. errno is the call's.
class Outside {
public:
  Outside(Task &task, const void *place) : task_(task) {
    scheduler.leave(task, {.action = Action::Outside, .place = reinterpret_cast<U64>(place)});
  }
  ~Outside() {
    const int status = errno;
    scheduler.recover(task_);
    errno = status;
  }

  void waited(U64 nanoseconds) { task_.slept = nanoseconds; }

private:
  Inside inside_;
  Task &task_;
};

// Of a timeout; 0: none, or for ever.
U64 ofMilliseconds(int timeout) { return timeout > 0 ? static_cast<U64>(timeout) * 1000000 : 0; }
U64 ofTime(const timespec *timeout) {
  return timeout ? static_cast<U64>(timeout->tv_sec) * 1000000000 + static_cast<U64>(timeout->tv_nsec) : 0;
}
U64 ofTime(const timeval *timeout) {
  return timeout ? static_cast<U64>(timeout->tv_sec) * 1000000000 + static_cast<U64>(timeout->tv_usec) * 1000 : 0;
}

bool isRegular(int file) {
  struct stat status;
  const int kept = errno;
  const bool regular = fstat(file, &status) == 0 && (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode));
  errno = kept;
  return regular;
}

// A call that moves bytes between memory and a descriptor.
class Move : public MemoryCall {
public:
  using MemoryCall::MemoryCall;

  // As many bytes as wait there already: what comes later, if anything does, nobody knows.
  void fills(int file, const void *to, U64 bytes) const {
    const U64 waiting = waitingAt(file);
    writes(to, bytes < waiting ? bytes : waiting);
  }
  void fillsAll(int file, const iovec *buffers, U64 count) const { tellAll(true, buffers, count, waitingAt(file)); }
  void readsAll(const iovec *buffers, U64 count) const { tellAll(false, buffers, count, ~U64(0)); }

private:
  static U64 waitingAt(int file) {
    const int kept = errno;
    int bytes = 0;
    if (ioctl(file, FIONREAD, &bytes) != 0) bytes = 0;
    errno = kept;
    return static_cast<U64>(bytes > 0 ? bytes : 0);
  }
  void tellAll(bool isWrite, const iovec *buffers, U64 count, U64 bytes) const {
    for (U64 index = 0; index != count && bytes != 0; ++index) {
      const U64 part = buffers[index].iov_len < bytes ? buffers[index].iov_len : bytes;
      tell(isWrite, buffers[index].iov_base, part);
      bytes -= part;
    }
  }
};

long waitFutex(Task &task, int *word, long operation, int value, const timespec *timeout, const void *place) {
  reach(task, Action::Wait, word, place);
  if (__atomic_load_n(word, __ATOMIC_SEQ_CST) != value) return errno = EAGAIN, -1;
  const bool absolute = (operation & FUTEX_CMD_MASK) == FUTEX_WAIT_BITSET;
  const int clock = operation & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC;
  U64 deadline = kNever;
  if (timeout && absolute) deadline = deadlineOf(clock, timeout);
  if (timeout && !absolute)
    deadline = scheduler.now() + static_cast<U64>(timeout->tv_sec) * 1000000000 + static_cast<U64>(timeout->tv_nsec);
  Inside inside;
  const U64 object = reinterpret_cast<U64>(word);
  if (scheduler.block(task, object, deadline)) return scheduler.observe(task, object), 0;
  return errno = ETIMEDOUT, -1;
}

void wakeFutex(Task &task, int *word, U32 count, const void *place) {
  reach(task, Action::Signal, word, place);
  Inside inside;
  scheduler.publish(task, reinterpret_cast<U64>(word));
  scheduler.wake(task, reinterpret_cast<U64>(word), count);
}

// Those that move waiters from one word to another, or wake at two, wake all at both here: who waits for a futex looks again.
bool wakesAtTwo(long command) {
  return command == FUTEX_REQUEUE || command == FUTEX_CMP_REQUEUE || command == FUTEX_WAKE_OP;
}

// The kernel hands these over from thread to thread.
bool ownedByKernel(long command) {
  return command == FUTEX_LOCK_PI || command == FUTEX_LOCK_PI2 || command == FUTEX_WAIT_REQUEUE_PI;
}

void futexCall(Task &task, const long *all, const void *place) {
  const long command = all[1] & FUTEX_CMD_MASK;
  int *word = reinterpret_cast<int *>(all[0]);
  const int count = static_cast<int>(all[2]);
  if (command == FUTEX_WAKE || command == FUTEX_WAKE_BITSET)
    wakeFutex(task, word, count < 0 ? Scheduler::kAll : static_cast<U32>(count), place);
  if (!wakesAtTwo(command)) return;
  wakeFutex(task, word, Scheduler::kAll, place);
  wakeFutex(task, reinterpret_cast<int *>(all[4]), Scheduler::kAll, place);
}

} // namespace

#define MOVING(result, name, parameters, arguments, tell)                                                              \
  DEADHEAT_INTERPOSE result name parameters {                                                                          \
    Task *task = directed();                                                                                           \
    if (!task) return DEADHEAT_REAL(name) arguments;                                                                   \
    if (const Move call(__builtin_return_address(0)); call) tell;                                                      \
    Outside outside(*task, __builtin_return_address(0));                                                               \
    return cancellable([&] { return DEADHEAT_REAL(name) arguments; });                                                 \
  }
#define BLOCKING(result, name, parameters, arguments)                                                                  \
  DEADHEAT_INTERPOSE result name parameters {                                                                          \
    Task *task = directed();                                                                                           \
    if (!task) return DEADHEAT_REAL(name) arguments;                                                                   \
    Outside outside(*task, __builtin_return_address(0));                                                               \
    return cancellable([&] { return DEADHEAT_REAL(name) arguments; });                                                 \
  }
#define ON_DESCRIPTOR(result, name, parameters, arguments, tell)                                                       \
  DEADHEAT_INTERPOSE result name parameters {                                                                          \
    Task *task = directed();                                                                                           \
    if (!task) return DEADHEAT_REAL(name) arguments;                                                                   \
    if (const Move call(__builtin_return_address(0)); call) tell;                                                      \
    if (isRegular(file)) return DEADHEAT_REAL(name) arguments;                                                         \
    Outside outside(*task, __builtin_return_address(0));                                                               \
    return cancellable([&] { return DEADHEAT_REAL(name) arguments; });                                                 \
  }
#define TIMED(result, name, parameters, arguments, nanoseconds, isSleep)                                               \
  DEADHEAT_INTERPOSE result name parameters {                                                                          \
    Task *task = directed();                                                                                           \
    if (!task) return DEADHEAT_REAL(name) arguments;                                                                   \
    const U64 longest = nanoseconds;                                                                                   \
    if (isSleep) return sleepFor(*task, longest, __builtin_return_address(0)), 0;                                      \
    Outside outside(*task, __builtin_return_address(0));                                                               \
    const result status = cancellable([&] { return DEADHEAT_REAL(name) arguments; });                                  \
    if (status == 0) outside.waited(longest);                                                                          \
    return status;                                                                                                     \
  }
#include "runtime/schedule/blocking.def"

// std::atomic's wait and notify, and locks made by hand.
DEADHEAT_INTERPOSE long syscall(long number, ...) {
  long all[6];
  va_list list;
  va_start(list, number);
  for (long &argument : all) argument = va_arg(list, long);
  va_end(list);
  Task *task = number == SYS_futex ? directed() : nullptr;
  if (task) {
    const long command = all[1] & FUTEX_CMD_MASK;
    const void *place = __builtin_return_address(0);
    if (command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET)
      return waitFutex(*task, reinterpret_cast<int *>(all[0]), all[1], static_cast<int>(all[2]),
                       reinterpret_cast<const timespec *>(all[3]), place);
    if (ownedByKernel(command)) {
      Outside outside(*task, place);
      return DEADHEAT_REAL(syscall)(number, all[0], all[1], all[2], all[3], all[4], all[5]);
    }
    futexCall(*task, all, place);
  }
  return DEADHEAT_REAL(syscall)(number, all[0], all[1], all[2], all[3], all[4], all[5]);
}

} // namespace deadheat::runtime::schedule
