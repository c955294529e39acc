// What a program tells of itself: ThreadSanitizer's annotations (abi/annotations.def).
//
// Misses  A lock that one thread holds several times, by __tsan_mutex_write_reentrant: its inner unlock counts as one that
//         lets others in, which may hide a race.

#include "runtime/interpose/annotations.h"

// Defines an annotation: what instrumented code calls where a runtime is attached.
#define ANNOTATE(result, name, parameters)                                                                             \
  extern "C" __attribute__((visibility("default"))) result deadheat_##name parameters asm(#name);                      \
  result deadheat_##name parameters

namespace deadheat::runtime {
namespace {

using Address = const volatile void *;
using File = const char *;

// As sanitizer/tsan_interface.h has them.
constexpr unsigned kReadLock = 1 << 3;
constexpr unsigned kTryLock = 1 << 4;
constexpr unsigned kTryLockFailed = 1 << 5;

U8 maskOf(const Ignored &ignored) {
  return (ignored.reads || ignored.inLock ? abi::kIgnoreReads : 0) |
         (ignored.writes || ignored.inLock ? abi::kIgnoreWrites : 0) |
         (ignored.sync || ignored.inLock ? abi::kIgnoreSync : 0);
}

// What was told while it counted for nothing has to be told again.
template <typename Change> void changeIgnored(const Caller &caller, Change change) {
  const U8 before = maskOf(thread.ignored);
  change(thread.ignored);
  const U8 after = maskOf(thread.ignored);
  if (before == after) return;
  tellEvent(caller, EventKind::Ignore, after);
  endPiece(thread);
}

void begin(U32 Ignored::*what, const Caller &caller) {
  changeIgnored(caller, [what](Ignored &ignored) { ++(ignored.*what); });
}

void end(U32 Ignored::*what, const Caller &caller) {
  changeIgnored(caller, [what](Ignored &ignored) {
    if (ignored.*what != 0) --(ignored.*what);
  });
}

Sync lockOf(Address lock, bool shared, U8 flags = 0) {
  return {SyncKind::RwLock, const_cast<const void *>(lock), static_cast<U8>(flags | (shared ? abi::kShared : 0))};
}

Sync orderOf(Address object) { return {SyncKind::User, const_cast<const void *>(object)}; }

void release(Address lock, bool shared, const Caller &caller) {
  tellRelease(lockOf(lock, shared, shared ? 0 : abi::kWriter), caller);
}

void tellBenign(Address address, U64 bytes, const Caller &caller) {
  tellEvent(caller, EventKind::Benign, 0, reinterpret_cast<U64>(address), bytes);
  if (thread.memory) exemptRange(reinterpret_cast<U64>(address), bytes);
}

} // namespace

Ignored ignoreNothing(const Caller &caller) {
  const Ignored before = thread.ignored;
  ignoreAgain({}, caller);
  return before;
}

void ignoreAgain(const Ignored &before, const Caller &caller) {
  changeIgnored(caller, [&before](Ignored &ignored) { ignored = before; });
}

ANNOTATE(void, AnnotateHappensBefore, (File, int, Address object)) { tellSignal(orderOf(object), CALLER); }
ANNOTATE(void, AnnotateHappensAfter, (File, int, Address object)) { tellWait(orderOf(object), CALLER); }
ANNOTATE(void, __tsan_release, (Address object)) { tellSignal(orderOf(object), CALLER); }
ANNOTATE(void, __tsan_acquire, (Address object)) { tellWait(orderOf(object), CALLER); }

ANNOTATE(void, AnnotateRWLockCreate, (File, int, Address)) {}
ANNOTATE(void, AnnotateRWLockCreateStatic, (File, int, Address)) {}
ANNOTATE(void, AnnotateRWLockDestroy, (File, int, Address)) {}
ANNOTATE(void, AnnotateRWLockAcquired, (File, int, Address lock, long writer)) {
  tellAcquire(lockOf(lock, writer == 0), CALLER);
}
ANNOTATE(void, AnnotateRWLockReleased, (File, int, Address lock, long writer)) { release(lock, writer == 0, CALLER); }

// Between the two halves the lock's own code runs, and its atomics are no order of the program.
ANNOTATE(void, __tsan_mutex_create, (Address, unsigned)) {}
ANNOTATE(void, __tsan_mutex_destroy, (Address, unsigned)) {}
ANNOTATE(void, __tsan_mutex_pre_lock, (Address lock, unsigned flags)) {
  if (!(flags & kTryLock)) tellWant(lockOf(lock, flags & kReadLock), CALLER);
  begin(&Ignored::inLock, CALLER);
}
ANNOTATE(void, __tsan_mutex_post_lock, (Address lock, unsigned flags, int)) {
  end(&Ignored::inLock, CALLER);
  if (flags & kTryLockFailed) return;
  tellAcquire(lockOf(lock, flags & kReadLock, flags & kTryLock ? abi::kTried : 0), CALLER);
}
ANNOTATE(int, __tsan_mutex_pre_unlock, (Address lock, unsigned flags)) {
  release(lock, flags & kReadLock, CALLER);
  begin(&Ignored::inLock, CALLER);
  return 1;
}
ANNOTATE(void, __tsan_mutex_post_unlock, (Address, unsigned)) { end(&Ignored::inLock, CALLER); }
ANNOTATE(void, __tsan_mutex_pre_signal, (Address, unsigned)) { begin(&Ignored::inLock, CALLER); }
ANNOTATE(void, __tsan_mutex_post_signal, (Address, unsigned)) { end(&Ignored::inLock, CALLER); }
ANNOTATE(void, __tsan_mutex_pre_divert, (Address, unsigned)) { end(&Ignored::inLock, CALLER); }
ANNOTATE(void, __tsan_mutex_post_divert, (Address, unsigned)) { begin(&Ignored::inLock, CALLER); }

ANNOTATE(void, AnnotateIgnoreReadsBegin, (File, int)) { begin(&Ignored::reads, CALLER); }
ANNOTATE(void, AnnotateIgnoreReadsEnd, (File, int)) { end(&Ignored::reads, CALLER); }
ANNOTATE(void, AnnotateIgnoreWritesBegin, (File, int)) { begin(&Ignored::writes, CALLER); }
ANNOTATE(void, AnnotateIgnoreWritesEnd, (File, int)) { end(&Ignored::writes, CALLER); }
ANNOTATE(void, AnnotateIgnoreSyncBegin, (File, int)) { begin(&Ignored::sync, CALLER); }
ANNOTATE(void, AnnotateIgnoreSyncEnd, (File, int)) { end(&Ignored::sync, CALLER); }
ANNOTATE(void, AnnotateBenignRace, (File, int, Address address, File)) { tellBenign(address, 1, CALLER); }
ANNOTATE(void, AnnotateBenignRaceSized, (File, int, Address address, unsigned bytes, File)) {
  tellBenign(address, bytes, CALLER);
}
ANNOTATE(void, WTFAnnotateBenignRaceSized, (File, int, Address address, unsigned bytes, File)) {
  tellBenign(address, bytes, CALLER);
}

ANNOTATE(void, AnnotateThreadName, (File, int, File)) {}
ANNOTATE(void, AnnotateNewMemory, (File, int, Address, U64)) {}
ANNOTATE(void, AnnotateFlushState, (File, int)) {}
ANNOTATE(void, __tsan_check_no_mutexes_held, ()) {}
ANNOTATE(void, __tsan_flush_memory, ()) {}

} // namespace deadheat::runtime
