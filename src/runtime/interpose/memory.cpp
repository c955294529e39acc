// The malloc family. operator new and delete come through it, but for those of operators.cpp; where a program brings its own malloc, it is
// not reached.
//
// Misses  Frees by destructors of a library that is unloaded: they are taken for the loader's.

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "runtime/interpose/memory.h"
#include "runtime/sampler.h"
#include "runtime/touched.h"

namespace deadheat::runtime {

namespace {

// 0: nobody knows, or wants to know.
U64 usableBytes(void *memory) {
  const bool wanted = thread.memory || context.touched;
  return wanted && nextFunction(Symbol::malloc_usable_size) ? NEXT(malloc_usable_size)(memory) : 0;
}

// The kernel orders who gives memory back and who gets it, also where libc asks for it by itself: a thread that is given a part of what
// others unmapped comes after them.
constexpr U64 kUnmappedPart = 1 << 20;
constexpr U64 kMostParts = 4096; // of one call

struct UnmappedBit {
  U64 &word;
  U64 bit;
};

UnmappedBit unmappedBit(U64 part) {
  const U64 index = part % kUnmappedBits;
  return {context.page->unmapped[index / 64], U64(1) << index % 64};
}

Sync partOf(U64 part) { return {SyncKind::User, reinterpret_cast<const void *>(part * kUnmappedPart)}; }

template <typename Visit> void eachPart(U64 address, U64 bytes, Visit visit) {
  const U64 first = address / kUnmappedPart, last = (address + (bytes == 0 ? 0 : bytes - 1)) / kUnmappedPart;
  for (U64 part = first; part <= last && part - first != kMostParts; ++part) visit(part);
}

void tellUnmapped(U64 address, U64 bytes, const Caller &caller) {
  if (!tells(thread)) return;
  eachPart(address, bytes, [&](U64 part) {
    tellSignal(partOf(part), caller);
    const auto [word, bit] = unmappedBit(part);
    __atomic_fetch_or(&word, bit, __ATOMIC_RELAXED);
  });
}

void learnUnmapped(U64 address, U64 bytes, const Caller &caller) {
  eachPart(address, bytes, [&](U64 part) {
    const auto [word, bit] = unmappedBit(part);
    if (abi::loadRelaxed(word) & bit) tellWait(partOf(part), caller);
  });
}

} // namespace

void tellAllocated(U64 address, U64 bytes, const Caller &caller) {
  Thread &self = thread;
  if (!isAttached() || !tells(self)) return;
  learnUnmapped(address, bytes, caller);
  Writer writer(self, caller.frame);
  if (!writer.hasRoom()) return;
  tellFrames(writer, returnSlotOf(caller.frame));
  writer.event(EventKind::Allocate, 0, address, bytes, takeStamp(abi::stampedHeap(address)), caller.returns);
  if (self.memory && bytes != 0) forgetRange(address, bytes);
}

// The same address may be another object soon: what was told of it is no longer told.
void tellFreed(U64 address, const Caller &caller) {
  Thread &self = thread;
  if (!isAttached() || !tells(self)) return;
  if (self.memory)
    rememberFree(self, address, usableBytes(reinterpret_cast<void *>(address)), caller.returns, caller.frame);
  else
    ++self.clock;
  Writer writer(self, caller.frame);
  if (!writer.hasRoom()) return;
  tellFrames(writer, returnSlotOf(caller.frame));
  writer.event(EventKind::Free, 0, address, takeStamp(abi::stampedHeap(address)), caller.returns);
}

namespace {

// Of memory where nothing was told there is nothing to forget, in all that the block has. But it may have been another's before, and
// accessed before that, and what the thread does with it has to come after: so a block is told as well if any of its heap was renewed
// since the thread's last stamp there. Some places that allocate are told all the same, for the sake of reports, and then the block's
// release is told as well; the others are not named.
void tellAllocation(U64 address, U64 bytes, U64 usable, const Caller &caller) {
  if (!isAttached() || !tells(thread)) return;
  const bool named = !passesOverCall(thread, caller.returns) && takeCall(thread, caller.returns);
  if (!context.touched) return tellAllocated(address, bytes, {caller.frame, named ? caller.returns : 0});
  const U64 whole = usable > bytes ? usable : bytes;
  U64 &known = thread.own->renewed[abi::stampCounter(abi::stampedHeap(address))];
  U64 &renewed = counterOf(abi::stampedHeap(address)).renewed;
  const U64 before = abi::loadAcquire(renewed);
  if (wasTouched(address, whole)) {
    clearTouched(address, whole);
    tellAllocated(address, whole, {caller.frame, 0});
    known = abi::fetchAdd(renewed, U64(1)) == before ? before + 1 : before; // counted when its stamp was taken
  } else if (known != before) {
    if (!named) tellAllocated(address, whole, {caller.frame, 0});
    known = before;
  }
  if (!named) return;
  tellAllocated(address, bytes, caller);
  noteTouched(address, 1);
}

} // namespace

void tellGivenBack(void *memory, const Caller &caller) {
  const U64 address = reinterpret_cast<U64>(memory);
  const auto sizeOf = NEXT(malloc_usable_size);
  const U64 bytes = context.touched && sizeOf ? sizeOf(memory) : 0;
  if (bytes != 0 && !wasTouched(address, bytes)) return;
  noteTouched(address, bytes); // by the release, in all that the block has: whoever gets a part of it starts anew
  tellFreed(address, caller);
}

// A free is remembered in all that the block has, so a block is new in all that it has.
void *allocated(void *memory, U64 bytes, const Caller &caller) {
  if (!memory) return memory;
  const U64 usable = usableBytes(memory);
  tellAllocation(reinterpret_cast<U64>(memory), bytes, usable, caller);
  if (usable > bytes && thread.memory) forgetRange(reinterpret_cast<U64>(memory) + bytes, usable - bytes);
  return memory;
}

namespace {

// The block is told freed before another thread can get it; if it stays, it is told anew, with a size nobody knows.
template <typename Next> void *reallocated(void *old, U64 bytes, const Caller &caller, Next next) {
  if (old) tellGivenBack(old, caller);
  void *memory = next();
  if (!memory && old && bytes != 0) return allocated(old, 0, caller), nullptr;
  return allocated(memory, bytes, caller);
}

} // namespace

#define ALLOCATE(name, parameters, arguments, bytes)                                                                   \
  INTERPOSE(void *, name, parameters) {                                                                                \
    void *memory = NEXT(name) arguments;                                                                               \
    return isAttached() ? allocated(memory, bytes, CALLER) : memory;                                                   \
  }

ALLOCATE(malloc, (size_t bytes), (bytes), bytes)
ALLOCATE(calloc, (size_t count, size_t size), (count, size), count *size)
ALLOCATE(aligned_alloc, (size_t alignment, size_t bytes), (alignment, bytes), bytes)
ALLOCATE(memalign, (size_t alignment, size_t bytes), (alignment, bytes), bytes)
ALLOCATE(valloc, (size_t bytes), (bytes), bytes)
ALLOCATE(pvalloc, (size_t bytes), (bytes), bytes)

INTERPOSE(void *, realloc, (void *old, size_t bytes)) {
  if (!isAttached()) return NEXT(realloc)(old, bytes);
  return reallocated(old, bytes, CALLER, [&] { return NEXT(realloc)(old, bytes); });
}

INTERPOSE(void *, reallocarray, (void *old, size_t count, size_t size)) {
  if (!isAttached()) return NEXT(reallocarray)(old, count, size);
  return reallocated(old, count * size, CALLER, [&] { return NEXT(reallocarray)(old, count, size); });
}

INTERPOSE(void, free, (void *memory)) {
  if (isAttached() && memory && !thread.inLibrary) tellGivenBack(memory, CALLER);
  NEXT(free)(memory);
}

// The loader's lock orders what it frees with those who ask for its list. Destructors of the library run in here, too.
INTERPOSE(int, dlclose, (void *library)) {
  const bool before = thread.inLibrary;
  thread.inLibrary = true;
  const int result = NEXT(dlclose)(library);
  thread.inLibrary = before;
  return result;
}

INTERPOSE(int, posix_memalign, (void **memory, size_t alignment, size_t bytes)) {
  const int result = NEXT(posix_memalign)(memory, alignment, bytes);
  if (isAttached() && result == 0) allocated(*memory, bytes, CALLER);
  return result;
}

// Memory of a mapping may have been another's: it starts a new history. What libc maps for itself does not come by here.
#define MAP(name)                                                                                                      \
  INTERPOSE(void *, name, (void *wanted, size_t bytes, int protection, int flags, int file, off_t offset)) {           \
    void *const memory = NEXT(name)(wanted, bytes, protection, flags, file, offset);                                   \
    if (isAttached() && memory != MAP_FAILED) tellAllocation(reinterpret_cast<U64>(memory), bytes, 0, CALLER);         \
    return memory;                                                                                                     \
  }

MAP(mmap)
MAP(mmap64)

// What was remembered of it is of no use to anybody: programs that map one region after the other would fill the machine's memory with it.
INTERPOSE(int, munmap, (void *memory, size_t bytes)) {
  if (isAttached()) {
    tellUnmapped(reinterpret_cast<U64>(memory), bytes, CALLER);
    if (thread.memory) forgetRange(reinterpret_cast<U64>(memory), bytes);
  }
  return NEXT(munmap)(memory, bytes);
}

// Variadic in C: the last argument may not have been given. What was there is another's as soon as it has moved, so that is told before.
INTERPOSE(void *, mremap, (void *old, size_t before, size_t bytes, int flags, void *wanted)) {
  if (!isAttached()) return NEXT(mremap)(old, before, bytes, flags, wanted);
  tellUnmapped(reinterpret_cast<U64>(old), before, CALLER);
  void *const memory = NEXT(mremap)(old, before, bytes, flags, wanted);
  if (memory == MAP_FAILED) return memory;
  const U64 kept = memory == old ? before : 0;
  if (bytes > kept) tellAllocation(reinterpret_cast<U64>(memory) + kept, bytes - kept, 0, CALLER);
  return memory;
}

// What is mapped for the shadow, or for lines that are touched, is far larger than any memory: with it there is nothing that could be
// locked.
INTERPOSE(int, mlockall, (int flags)) { return context.shadow != 0 || context.touched ? 0 : NEXT(mlockall)(flags); }

} // namespace deadheat::runtime
