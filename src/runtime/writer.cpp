#include "runtime/interpose/threads.h"
#include "runtime/sampler.h"
#include "runtime/shadow.h"

#include <linux/fcntl.h>
#include <linux/mman.h>

namespace deadheat::runtime {

constinit thread_local Thread thread = {};

namespace {

constexpr int kYields = 100;
constexpr long kSleepNanoseconds = 100000;
constexpr int kSleepsPerLook = 100; // whether the reader still lives
constexpr U64 kPopulatedAtOnce = 1 << 13;
constexpr U32 kNoWindow = ~0u;
constexpr U64 kUsable = abi::kRingWords - kMostWords; // the rest is for writers that a signal comes between

void pauseThread(int tries) {
  const long pause[2] = {0, kSleepNanoseconds};
  if (tries < kYields)
    systemCall(__NR_sched_yield);
  else
    systemCall(__NR_nanosleep, pause, nullptr);
}

// A full file system would turn the first touch of a page into SIGBUS; asking beforehand turns it into an error. Only a
// kernel that does not know the request (EINVAL) leaves us to hope.
bool populate(void *begin, U64 bytes) {
  constexpr int kPopulateWrite = 23;
  constexpr long kUnknownRequest = -22;
  const long result = systemCall(__NR_madvise, begin, bytes, kPopulateWrite);
  return !isError(result) || result == kUnknownRequest;
}

bool populateMore(Thread &self, abi::Ring &ring) {
  if (!populate(&ring.words[self.populated], kPopulatedAtOnce * sizeof(U64))) return false;
  self.populated += kPopulatedAtOnce;
  return true;
}

abi::Ring *claimRing() {
  abi::Arena &arena = *context.arena;
  const U64 owner = abi::makeOwner(systemCall(__NR_getpid), systemCall(__NR_gettid));
  U32 index = abi::kMaxRings;
  for (int tries = 0; tries != 2 * kYields && index == abi::kMaxRings; ++tries) {
    index = abi::claimRing(arena.claims, owner);
    if (index == abi::kMaxRings) pauseThread(tries);
  }
  if (index == abi::kMaxRings) return nullptr;
  abi::Ring &ring = arena.rings[index];
  if (populate(&ring, sizeof(ring) - sizeof(ring.words))) return &ring;
  abi::storeRelease(arena.claims[index].owner, U64(0));
  return nullptr;
}

void giveBack(abi::Ring &ring) { abi::storeRelease(context.arena->claims[&ring - context.arena->rings].owner, U64(0)); }

Private *mapPrivate() { return static_cast<Private *>(reserveBytes(sizeof(Private))); }

void enterRing(Thread &self, abi::Ring &ring) {
  if (self.number == 0) self.number = abi::fetchAdd(context.page->threads, 1u) + 1;
  self.next = self.limit = 0;
  self.window = kNoWindow;
  self.toldDepth = self.resolved = self.putOff = self.toldSamplers = 0;
  ++self.news;
  self.random = self.number;
  ++self.clock;
  ring.process = static_cast<U32>(context.page->epoch >> 32);
  ring.thread = self.number;
  const U64 ticket = abi::fetchAdd(context.arena->header.tickets, U64(1)) + 1;
  abi::storeRelease(context.arena->claims[&ring - context.arena->rings].ticket, ticket);
  self.ring = &ring; // last: a handler that comes before tells nothing
}

// A ring, and what goes with it, of a process that has just been entered or a thread that has just begun.
bool equip(Thread &self) {
  if (!self.own) self.own = mapPrivate();
  const bool remembers = context.shadow == 0 || openMemory(self);
  abi::Ring *ring = self.own && remembers ? claimRing() : nullptr;
  if (!ring) return false;
  self.populated = 0;
  if (!populateMore(self, *ring)) {
    giveBack(*ring);
    return false;
  }
  enterRing(self, *ring);
  return true;
}

// Where the objects are. A thread that was created tells nothing before its Begin, and its creator has told these.
void tellObjects(Thread &self) {
  if (!self.ring || self.ended) return;
  Writer writer(self, thisFrame());
  for (U32 index = 0; index != context.objectCount; ++index) {
    const LoadedObject &object = context.objects[index];
    if (object.accesses.size != 0 && writer.hasRoom())
      writer.event(abi::EventKind::Load, object.accesses.base, object.bias);
  }
}

// Stamps begin anew in the child of a fork.
void forgetTold(Private &own) {
  for (LastTold &entry : own.lastTold) entry = {};
  own.knower = {};
  for (U64 &renewed : own.renewed) renewed = 0;
}

// The process or its objects changed since this thread last looked.
void renew(Thread &self, U64 epoch) {
  const bool sameProcess = self.epoch >> 32 == epoch >> 32;
  const bool isNew = self.epoch == 0, forked = !sameProcess && !isNew;
  self.accesses = self.functions = {};
  self.epoch = epoch;
  if (sameProcess) return tellObjects(self);
  if (forked) {
    self.number = 0;
    self.together = false; // it was its parent's burst
    if (self.own) forgetTold(*self.own);
  }
  const bool spawned = self.number != 0; // its creator chose the number and tells its Begin
  self.ring = nullptr;
  if (context.page->refused) return;
  if (!equip(self)) {
    abi::fetchAdd(context.arena->header.refusedThreads, 1u);
    return;
  }
  if (spawned) return;
  {
    Writer writer(self, thisFrame());
    if (writer.hasRoom()) writer.event(abi::EventKind::Begin, self.number, U64(0));
    if (self.memory) beginPiece(writer); // so that the reader knows from the start
  }
  tellObjects(self);
  if (isNew) meetThread();
}

// As /proc tells it; 0: it does not.
char processState(U32 pid) {
  char path[32] = "/proc/";
  char text[512];
  char *at = path + 6;
  char digits[10];
  int count = 0;
  for (; pid != 0; pid /= 10) digits[count++] = static_cast<char>('0' + pid % 10);
  while (count != 0) *at++ = digits[--count];
  for (const char *rest = "/stat"; *rest != 0; ++rest) *at++ = *rest;
  const long file = systemCall(__NR_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
  if (isError(file)) return 0;
  const long length = systemCall(__NR_read, file, text, sizeof(text));
  systemCall(__NR_close, file);
  for (long end = length - 3; end > 0; --end) // the name before may hold anything
    if (text[end] == ')') return text[end + 2];
  return 0;
}

// A reader that was killed may be a zombie for long.
bool readerLives() {
  abi::ArenaHeader &header = context.arena->header;
  if (abi::loadRelaxed(header.closed)) return false;
  constexpr long kNoSuchProcess = -3;
  const char state = processState(header.reader);
  const bool gone = systemCall(__NR_kill, header.reader, 0) == kNoSuchProcess || state == 'Z' || state == 'X';
  if (gone) abi::storeRelease(header.closed, 1u);
  return !gone;
}

bool hasRoom(const Thread &self) { return self.next + kMostWords <= abi::loadAcquire(self.ring->tail) + kUsable; }

// False: there is nobody to wait for. Nothing is half written, so handlers may run, and may wait as well.
bool waitForRoom(Thread &self) {
  const U64 busy = self.busy;
  self.busy = 0;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  bool lives = true;
  for (int tries = 0; lives && !hasRoom(self); ++tries) {
    if (tries >= kYields && tries % kSleepsPerLook == 0) lives = readerLives();
    pauseThread(tries);
  }
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  self.busy = busy;
  return lives;
}

bool stopTelling(Thread &self) {
  self.ended = true;
  self.limit = 0;
  self.accesses = {};
  return false;
}

} // namespace

bool prepareThread(Thread &self) {
  if (abi::loadAcquire(context.page->epoch) == 0) enterProcess();
  const U64 epoch = abi::loadAcquire(context.page->epoch);
  if (self.epoch != epoch) renew(self, epoch);
  return self.ring && !self.ended;
}

// What was reserved so far is whole where nobody is interrupted, so it may be published before the wait.
bool makeRoom(Thread &self, bool nested) {
  if (self.ended) return false;
  abi::Ring &ring = *self.ring;
  if (nested && !hasRoom(self)) {
    abi::fetchAdd(context.arena->header.lost, 1u);
    return false;
  }
  if (!nested && !hasRoom(self)) {
    abi::storeRelease(ring.head, self.next);
    if (!waitForRoom(self)) return stopTelling(self);
  }
  const U64 wanted = self.next + kMostWords;
  while (self.populated < abi::kRingWords && wanted > self.populated)
    if (!populateMore(self, ring)) {
      abi::fetchAdd(context.arena->header.refusedThreads, 1u);
      return stopTelling(self);
    }
  const U64 free = abi::loadAcquire(ring.tail) + kUsable;
  self.limit = self.populated < abi::kRingWords && self.populated < free ? self.populated : free;
  return true;
}

void closeThread(Thread &self) {
  stopTelling(self);
  self.functions = {};
  if (self.nearWord) *self.nearWord = 0;
  endMemory(self);
  if (self.own) releaseBytes(self.own, sizeof(Private));
  self.own = nullptr;
  closeStates(self);
}

// A signal is taken out by one instruction: a handler that comes before it sends all that there are.
static bool takeDeferred(Thread &self, DeferredSignal &signal) {
  for (U32 count = self.deferred; count != 0; count = self.deferred) {
    signal = self.own->deferred[count - 1];
    const U32 less = count - 1;
    bool taken;
    asm volatile("cmpxchgl %3, %1" : "=@ccz"(taken), "+m"(self.deferred), "+a"(count) : "r"(less) : "memory");
    if (taken) return true;
  }
  return false;
}

void catchUp(Thread &self, U64 frame) {
  DeferredSignal signal;
  while (takeDeferred(self, signal)) {
    const long process = systemCall(__NR_getpid), ours = systemCall(__NR_gettid);
    if (isError(systemCall(__NR_rt_tgsigqueueinfo, process, ours, signal.number, signal.info)))
      systemCall(__NR_tgkill, process, ours, signal.number);
  }
  if (abi::loadRelaxed(self.next) != abi::loadRelaxed(self.ring->head)) Writer again(self, frame);
}

} // namespace deadheat::runtime
