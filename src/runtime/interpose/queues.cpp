// Order through message queues and semaphores of System V, and through POSIX message queues.
//
// Claim   What a thread did before it sent is before what another does after it received from the same queue; likewise who raised a semaphore
//         of a set, and who was let go by that set.
// Misses  Which message, and which semaphore of a set; POSIX queues are one object: two descriptors may be one queue. What is written
//         to a message is not told.

#include <mqueue.h>
#include <sys/msg.h>
#include <sys/sem.h>

#include "runtime/interpose/descriptor_space.h"
#include "runtime/interpose/interpose.h"

namespace deadheat::runtime {
namespace {

// What is neither a descriptor nor its inode.
constexpr U64 kQueues = U64(1) << 33, kSets = U64(2) << 33, kPosixQueues = U64(3) << 33;

Sync queueOf(int id) { return {SyncKind::Descriptor, objectAt(kQueues | static_cast<U32>(id))}; }
Sync setOf(int id) { return {SyncKind::Descriptor, objectAt(kSets | static_cast<U32>(id))}; }
Sync posixQueue() { return {SyncKind::Descriptor, objectAt(kPosixQueues)}; }

template <typename Next> int operate(int set, const sembuf *operations, size_t count, const Caller &caller, Next next) {
  bool raises = false, waits = false;
  for (size_t index = 0; index != count; ++index) (operations[index].sem_op > 0 ? raises : waits) = true;
  if (raises) tellSignal(setOf(set), caller);
  const int result = next();
  if (result == 0 && waits) tellWait(setOf(set), caller);
  return result;
}

} // namespace

#define SEND(name, parameters, arguments, queue)                                                                       \
  INTERPOSE(int, name, parameters) {                                                                                   \
    if (isAttached()) tellSignal(queue, CALLER);                                                                       \
    return NEXT(name) arguments;                                                                                       \
  }
#define RECEIVE(name, parameters, arguments, queue)                                                                    \
  INTERPOSE(ssize_t, name, parameters) {                                                                               \
    const ssize_t got = NEXT(name) arguments;                                                                          \
    if (got >= 0 && isAttached()) tellWait(queue, CALLER);                                                             \
    return got;                                                                                                        \
  }

SEND(msgsnd, (int id, const void *message, size_t bytes, int flags), (id, message, bytes, flags), queueOf(id))
RECEIVE(msgrcv, (int id, void *message, size_t bytes, long type, int flags), (id, message, bytes, type, flags),
        queueOf(id))
SEND(mq_send, (mqd_t queue, const char *message, size_t bytes, unsigned priority), (queue, message, bytes, priority),
     posixQueue())
SEND(mq_timedsend, (mqd_t queue, const char *message, size_t bytes, unsigned priority, const timespec *until),
     (queue, message, bytes, priority, until), posixQueue())
RECEIVE(mq_receive, (mqd_t queue, char *message, size_t bytes, unsigned *priority), (queue, message, bytes, priority),
        posixQueue())
RECEIVE(mq_timedreceive, (mqd_t queue, char *message, size_t bytes, unsigned *priority, const timespec *until),
        (queue, message, bytes, priority, until), posixQueue())

INTERPOSE(int, semop, (int set, sembuf *operations, size_t count)) {
  if (!isAttached()) return NEXT(semop)(set, operations, count);
  return operate(set, operations, count, CALLER, [&] { return NEXT(semop)(set, operations, count); });
}

INTERPOSE(int, semtimedop, (int set, sembuf *operations, size_t count, const timespec *timeout)) {
  if (!isAttached()) return NEXT(semtimedop)(set, operations, count, timeout);
  return operate(set, operations, count, CALLER, [&] { return NEXT(semtimedop)(set, operations, count, timeout); });
}

} // namespace deadheat::runtime
