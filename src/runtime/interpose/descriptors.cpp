// Order through pipes, sockets, event counters, epoll and raw futexes, and the memory that they fill or send.
//
// Claim   What a thread did before it wrote is before what another does after it read from the other end; what it did before it
//         closed a descriptor is before what another does after it accepted a connection with that number.
// Cost    A question to the kernel about each descriptor, until it is closed or, by other ways than close, any is.
// Assumes descriptors are closed by what stands here, or are not used otherwise: what a number was is known until then.
// Misses  Which socket: all sockets of a process are one object. Files order nothing. What is sent at once beyond the first 256 KB.

#include <asm/stat.h>
#include <linux/fcntl.h>
#include <linux/futex.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "runtime/interpose/descriptor_space.h"
#include "runtime/interpose/interpose.h"
#include "runtime/sampler.h"

// What calls become where the compiler checks the sizes of buffers.
extern "C" {
ssize_t __read_chk(int descriptor, void *memory, size_t bytes, size_t room);
ssize_t __recv_chk(int descriptor, void *memory, size_t bytes, size_t room, int flags);
ssize_t __recvfrom_chk(int descriptor, void *memory, size_t bytes, size_t room, int flags, sockaddr *from,
                       socklen_t *length);
ssize_t __pread_chk(int descriptor, void *memory, size_t bytes, off_t at, size_t room);
ssize_t __pread64_chk(int descriptor, void *memory, size_t bytes, off_t at, size_t room);
}

namespace deadheat::runtime {
namespace {

constexpr U32 kTypeMask = 0170000, kPipe = 0010000, kSocket = 0140000;
constexpr U64 kSockets = 1; // all of them

// What a descriptor is, as far as it matters, in a word:  63 .. 32 version of the table | 31, 30 kind | 29 .. 0 of a pipe its inode. Two ends of
// a pipe are one inode; event counters and epoll share the inode of all that have no file, and are told by their number.
enum Kind : U32 { kOrdersNothing, kIsSocket, kIsPipe, kIsCounter };
constexpr U32 kKindShift = 30, kInodeMask = (1u << kKindShift) - 1;

U32 wordOf(U32 type, U64 inode) {
  if (type == kPipe) return kIsPipe << kKindShift | (inode & kInodeMask);
  return (type == kSocket ? kIsSocket : type == 0 ? kIsCounter : kOrdersNothing) << kKindShift;
}

// Null: nothing is ordered by it.
const void *objectOf(int descriptor, U32 word) {
  switch (static_cast<Kind>(word >> kKindShift)) {
  case kOrdersNothing: return nullptr;
  case kIsSocket: return objectAt(kSockets);
  case kIsPipe: return objectAt(1u << kKindShift | (word & kInodeMask));
  case kIsCounter: return objectAt(2 + static_cast<U64>(descriptor));
  }
}

// An entry counts if it has the present version.
constexpr int kMostKept = 4096;
U64 kept[kMostKept];
U32 keptVersion = 1;

bool isKept(int descriptor) { return descriptor >= 0 && descriptor < kMostKept; }
void forgetDescriptor(int descriptor) {
  if (isKept(descriptor)) abi::storeRelaxed(kept[descriptor], U64(0));
}
void forgetDescriptors() { abi::fetchAdd(keptVersion, 1u); }

const void *objectOf(int descriptor) {
  const U64 version = static_cast<U64>(abi::loadAcquire(keptVersion)) << 32;
  if (isKept(descriptor)) {
    const U64 entry = abi::loadRelaxed(kept[descriptor]);
    if (entry >> 32 == version >> 32) return objectOf(descriptor, static_cast<U32>(entry));
  }
  struct stat status; // the kernel's: twice as fast as statx
  if (isError(systemCall(__NR_fstat, descriptor, &status))) return nullptr;
  const U32 word = wordOf(status.st_mode & kTypeMask, status.st_ino);
  if (isKept(descriptor)) abi::storeRelaxed(kept[descriptor], version | word);
  return objectOf(descriptor, word);
}

const void *numberObject(int descriptor) { return objectAt(1u << 31 | static_cast<U32>(descriptor)); }

struct Transfer {
  int descriptor;
  const void *memory; // null: told by tellBuffers, or none
  U64 bytes;
};

void signalDescriptor(int descriptor, const Caller &caller) {
  if (const void *object = objectOf(descriptor)) tellSignal({SyncKind::Descriptor, object}, caller);
}

void waitDescriptor(int descriptor, const Caller &caller) {
  if (const void *object = objectOf(descriptor)) tellWait({SyncKind::Descriptor, object}, caller);
}

bool isTold(const Caller &caller) { return isAttached() && tells(thread) && takeCall(thread, caller.returns); }

U64 least(U64 one, U64 other) { return one < other ? one : other; }

// As many bytes of the buffers as were moved.
void tellBuffers(bool written, const iovec *buffers, U64 count, U64 bytes, const Caller &caller) {
  if (!isTold(caller)) return;
  for (U64 index = 0; index != count && bytes != 0; ++index) {
    const U64 part = least(buffers[index].iov_len, bytes);
    tellBytes(written, buffers[index].iov_base, part, caller);
    bytes -= part;
  }
}

// What is sent has to be told before others can learn of it, and how much will be is not known then: of many megabytes that a program
// offers again and again a socket takes some each time. A file takes all.
U64 mostSent(int descriptor) {
  constexpr U64 kMost = 256 * 1024;
  return objectOf(descriptor) ? kMost : ~U64(0);
}

template <typename Next> ssize_t receive(const Transfer &transfer, const Caller &caller, Next next) {
  const ssize_t result = next();
  if (result < 0) return result;
  if (transfer.memory && isTold(caller))
    tellBytes(true, transfer.memory, static_cast<U64>(result) < transfer.bytes ? result : transfer.bytes, caller);
  waitDescriptor(transfer.descriptor, caller);
  return result;
}

template <typename Next>
ssize_t receiveAll(int descriptor, const iovec *buffers, U64 count, const Caller &caller, Next next) {
  const ssize_t result = receive({descriptor, nullptr, 0}, caller, next);
  if (result > 0) tellBuffers(true, buffers, count, result, caller);
  return result;
}

} // namespace

#define RECEIVE(result, name, parameters, arguments, memory, bytes)                                                    \
  INTERPOSE(result, name, parameters) {                                                                                \
    if (!isAttached()) return NEXT(name) arguments;                                                                    \
    const auto moved = receive({descriptor, memory, bytes}, CALLER, [&] { return NEXT(name) arguments; });             \
    return static_cast<result>(moved);                                                                                 \
  }
// The number may have been another's, who has closed it: servers have tables by number.
#define ACCEPT(name, parameters, arguments)                                                                            \
  INTERPOSE(int, name, parameters) {                                                                                   \
    if (!isAttached()) return NEXT(name) arguments;                                                                    \
    const auto got = receive({descriptor, nullptr, 0}, CALLER, [&] { return NEXT(name) arguments; });                  \
    if (got >= 0) tellWait({SyncKind::Descriptor, numberObject(static_cast<int>(got))}, CALLER);                       \
    return static_cast<int>(got);                                                                                      \
  }
#define SEND(result, name, parameters, arguments, memory, bytes)                                                       \
  INTERPOSE(result, name, parameters) {                                                                                \
    if (isAttached()) {                                                                                                \
      if (const Caller caller = CALLER; memory && isTold(caller))                                                      \
        tellBytes(false, memory, least(bytes, mostSent(descriptor)), caller);                                          \
      signalDescriptor(descriptor, CALLER);                                                                            \
    }                                                                                                                  \
    return NEXT(name) arguments;                                                                                       \
  }

RECEIVE(ssize_t, read, (int descriptor, void *memory, size_t bytes), (descriptor, memory, bytes), memory, bytes)
RECEIVE(ssize_t, recv, (int descriptor, void *memory, size_t bytes, int flags), (descriptor, memory, bytes, flags),
        memory, bytes)
RECEIVE(ssize_t, recvfrom, (int descriptor, void *memory, size_t bytes, int flags, sockaddr *from, socklen_t *length),
        (descriptor, memory, bytes, flags, from, length), memory, bytes)
RECEIVE(ssize_t, __read_chk, (int descriptor, void *memory, size_t bytes, size_t room),
        (descriptor, memory, bytes, room), memory, bytes)
RECEIVE(ssize_t, __recv_chk, (int descriptor, void *memory, size_t bytes, size_t room, int flags),
        (descriptor, memory, bytes, room, flags), memory, bytes)
RECEIVE(ssize_t, __recvfrom_chk,
        (int descriptor, void *memory, size_t bytes, size_t room, int flags, sockaddr *from, socklen_t *length),
        (descriptor, memory, bytes, room, flags, from, length), memory, bytes)
RECEIVE(ssize_t, pread, (int descriptor, void *memory, size_t bytes, off_t at), (descriptor, memory, bytes, at), memory,
        bytes)
RECEIVE(ssize_t, pread64, (int descriptor, void *memory, size_t bytes, off_t at), (descriptor, memory, bytes, at),
        memory, bytes)
RECEIVE(ssize_t, __pread_chk, (int descriptor, void *memory, size_t bytes, off_t at, size_t room),
        (descriptor, memory, bytes, at, room), memory, bytes)
RECEIVE(ssize_t, __pread64_chk, (int descriptor, void *memory, size_t bytes, off_t at, size_t room),
        (descriptor, memory, bytes, at, room), memory, bytes)
ACCEPT(accept, (int descriptor, sockaddr *from, socklen_t *length), (descriptor, from, length))
ACCEPT(accept4, (int descriptor, sockaddr *from, socklen_t *length, int flags), (descriptor, from, length, flags))
RECEIVE(int, eventfd_read, (int descriptor, eventfd_t *value), (descriptor, value), nullptr, 0)
RECEIVE(int, epoll_wait, (int descriptor, epoll_event *events, int most, int timeout),
        (descriptor, events, most, timeout), nullptr, 0)
RECEIVE(int, epoll_pwait, (int descriptor, epoll_event *events, int most, int timeout, const sigset_t *mask),
        (descriptor, events, most, timeout, mask), nullptr, 0)

SEND(ssize_t, write, (int descriptor, const void *memory, size_t bytes), (descriptor, memory, bytes), memory, bytes)
SEND(ssize_t, send, (int descriptor, const void *memory, size_t bytes, int flags), (descriptor, memory, bytes, flags),
     memory, bytes)
SEND(ssize_t, sendto,
     (int descriptor, const void *memory, size_t bytes, int flags, const sockaddr *to, socklen_t length),
     (descriptor, memory, bytes, flags, to, length), memory, bytes)
SEND(ssize_t, pwrite, (int descriptor, const void *memory, size_t bytes, off_t at), (descriptor, memory, bytes, at),
     memory, bytes)
SEND(ssize_t, pwrite64, (int descriptor, const void *memory, size_t bytes, off_t at), (descriptor, memory, bytes, at),
     memory, bytes)
SEND(int, connect, (int descriptor, const sockaddr *to, socklen_t length), (descriptor, to, length), nullptr, 0)
SEND(int, eventfd_write, (int descriptor, eventfd_t value), (descriptor, value), nullptr, 0)
SEND(int, epoll_ctl, (int descriptor, int operation, int watched, epoll_event *event),
     (descriptor, operation, watched, event), nullptr, 0)

#define RECEIVE_ALL(name, parameters, arguments, buffers, count)                                                       \
  INTERPOSE(ssize_t, name, parameters) {                                                                               \
    if (!isAttached()) return NEXT(name) arguments;                                                                    \
    return receiveAll(descriptor, buffers, count, CALLER, [&] { return NEXT(name) arguments; });                       \
  }
#define SEND_ALL(name, parameters, arguments, buffers, count)                                                          \
  INTERPOSE(ssize_t, name, parameters) {                                                                               \
    if (isAttached()) {                                                                                                \
      tellBuffers(false, buffers, count, mostSent(descriptor), CALLER);                                                \
      signalDescriptor(descriptor, CALLER);                                                                            \
    }                                                                                                                  \
    return NEXT(name) arguments;                                                                                       \
  }

RECEIVE_ALL(readv, (int descriptor, const iovec *buffers, int count), (descriptor, buffers, count), buffers, count)
RECEIVE_ALL(preadv, (int descriptor, const iovec *buffers, int count, off_t at), (descriptor, buffers, count, at),
            buffers, count)
RECEIVE_ALL(preadv64, (int descriptor, const iovec *buffers, int count, off_t at), (descriptor, buffers, count, at),
            buffers, count)
RECEIVE_ALL(recvmsg, (int descriptor, msghdr *message, int flags), (descriptor, message, flags), message->msg_iov,
            message->msg_iovlen)
SEND_ALL(writev, (int descriptor, const iovec *buffers, int count), (descriptor, buffers, count), buffers, count)
SEND_ALL(pwritev, (int descriptor, const iovec *buffers, int count, off_t at), (descriptor, buffers, count, at),
         buffers, count)
SEND_ALL(pwritev64, (int descriptor, const iovec *buffers, int count, off_t at), (descriptor, buffers, count, at),
         buffers, count)
SEND_ALL(sendmsg, (int descriptor, const msghdr *message, int flags), (descriptor, message, flags), message->msg_iov,
         message->msg_iovlen)

INTERPOSE(int, recvmmsg, (int descriptor, mmsghdr *messages, unsigned count, int flags, timespec *timeout)) {
  if (!isAttached()) return NEXT(recvmmsg)(descriptor, messages, count, flags, timeout);
  const int got = NEXT(recvmmsg)(descriptor, messages, count, flags, timeout);
  if (got < 0) return got;
  const Caller caller = CALLER;
  for (int index = 0; index < got; ++index)
    tellBuffers(true, messages[index].msg_hdr.msg_iov, messages[index].msg_hdr.msg_iovlen, messages[index].msg_len,
                caller);
  waitDescriptor(descriptor, caller);
  return got;
}

INTERPOSE(int, sendmmsg, (int descriptor, mmsghdr *messages, unsigned count, int flags)) {
  if (isAttached()) {
    const Caller caller = CALLER;
    for (unsigned index = 0; index < count; ++index)
      tellBuffers(false, messages[index].msg_hdr.msg_iov, messages[index].msg_hdr.msg_iovlen, ~0ul, caller);
    signalDescriptor(descriptor, caller);
  }
  return NEXT(sendmmsg)(descriptor, messages, count, flags);
}

namespace {

using SystemCall = long (*)(long, long, long, long, long, long, long);

long callFutex(SystemCall next, long word, long operation, const long *rest, const Caller &caller) {
  const Sync futex{SyncKind::Futex, reinterpret_cast<const void *>(word)};
  const long command = operation & FUTEX_CMD_MASK;
  const bool waits = command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET;
  if (!waits) tellSignal(futex, caller);
  const long result = next(__NR_futex, word, operation, rest[0], rest[1], rest[2], rest[3]);
  if (waits && result == 0) tellWait(futex, caller);
  return result;
}

} // namespace

// Variadic in C; all arguments are words, and those that were not given are not looked at.
INTERPOSE(long, syscall, (long number, long a, long b, long c, long d, long e, long f)) {
  const auto next = reinterpret_cast<SystemCall>(nextFunction(Symbol::syscall));
  if (number != __NR_futex || !isAttached()) return next(number, a, b, c, d, e, f);
  const long rest[] = {c, d, e, f};
  return callFutex(next, a, b, rest, CALLER);
}

// Another thread may ask while it is being closed: forgotten after it, too.
INTERPOSE(int, close, (int descriptor)) {
  if (!isAttached()) return NEXT(close)(descriptor);
  if (descriptor >= 0) tellSignal({SyncKind::Descriptor, numberObject(descriptor)}, CALLER);
  forgetDescriptor(descriptor);
  const int result = NEXT(close)(descriptor);
  forgetDescriptor(descriptor);
  return result;
}

#define CLOSE(result, name, parameters, arguments)                                                                     \
  INTERPOSE(result, name, parameters) {                                                                                \
    forgetDescriptors();                                                                                               \
    const auto closed = NEXT(name) arguments;                                                                          \
    forgetDescriptors();                                                                                               \
    return closed;                                                                                                     \
  }

CLOSE(int, fclose, (FILE * file), (file))
CLOSE(int, pclose, (FILE * file), (file))
CLOSE(FILE *, freopen, (const char *name, const char *mode, FILE *file), (name, mode, file))
CLOSE(FILE *, freopen64, (const char *name, const char *mode, FILE *file), (name, mode, file))
CLOSE(int, dup2, (int from, int to), (from, to))
CLOSE(int, dup3, (int from, int to, int flags), (from, to, flags))
CLOSE(int, close_range, (unsigned first, unsigned last, int flags), (first, last, flags))

INTERPOSE(void, closefrom, (int first)) {
  forgetDescriptors();
  NEXT(closefrom)(first);
  forgetDescriptors();
}

} // namespace deadheat::runtime
