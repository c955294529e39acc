// What a thread writes into its ring, one 64-bit word after the other.
//
//   0 | address, 47 bits | low 16 bits of the access id        one access, of the kind and size that its late access has
//   1 | EventKind, 7 bits | payload, 56 bits                   then the words that events.def gives it
//
// An access id counts the late access slots of all objects of a run (ObjectEntry::base); its upper bits change rarely and
// are told by Window. A thread's first access is preceded by a Window.
//
// Order between threads: an event with a stamp took it by one atomic increment of the counter that its object hashes to,
// while it held what makes it unique (the lock itself, or the atomic's own guard). Stamps of one counter are dense from
// 1: a reader takes each as it comes, and knows by a missing one that it must wait or that something was lost.
#pragma once

#include "abi/types.h"

namespace deadheat::abi {

enum class EventKind : U8 {
#define EVENT(name, words, sentence) name,
#include "abi/events.def"
};

inline constexpr U8 kEventWords[] = {
#define EVENT(name, words, sentence) words,
#include "abi/events.def"
};
inline constexpr U32 kEventKinds = sizeof(kEventWords);

inline constexpr U32 kStampCounters = 128; // as in LiteRace
inline constexpr U32 kWindowBits = 16;
inline constexpr U64 kEventBit = U64(1) << 63;
inline constexpr U64 kPayloadMask = (U64(1) << 56) - 1;
inline constexpr U64 kAddressMask = (U64(1) << 47) - 1;

inline constexpr U64 accessWord(U64 address, U32 id) { return (address & kAddressMask) << 16 | (id & 0xffff); }
inline constexpr U64 eventWord(EventKind kind, U64 payload) {
  return kEventBit | static_cast<U64>(kind) << 56 | (payload & kPayloadMask);
}
inline constexpr bool isAccess(U64 word) { return (word & kEventBit) == 0; }
inline constexpr U64 wordAddress(U64 word) { return word >> 16; }
inline constexpr U32 wordAccess(U64 word) { return static_cast<U32>(word & 0xffff); }
inline constexpr U8 wordKind(U64 word) { return static_cast<U8>(word >> 56 & 0x7f); } // may exceed kEventKinds: damage
inline constexpr U64 wordPayload(U64 word) { return word & kPayloadMask; }

// All objects of a cache line share a counter: the sub-objects of one lock keep their order.
inline constexpr U32 stampCounter(U64 object) {
  return static_cast<U32>((object >> 6) * 0x9e3779b97f4a7c15 >> 57) % kStampCounters;
}

// What blocks that are made and freed are stamped by: not each for itself, as what was freed is given out again in other parts. As
// large as a heap of glibc is, and aligned like it, so that threads with heaps of their own have counters of their own.
inline constexpr U64 stampedHeap(U64 address) { return address >> 26 << 26; }

// Memory orders as the compiler's __ATOMIC_ constants have them.
enum class Order : U8 { Relaxed, Consume, Acquire, Release, AcquireRelease, Sequential };

// The second word of Atomic: stamp << 8 | succeeded << 4 | order. A compare-exchange that failed is a load.
inline constexpr U64 atomicWord(U64 stamp, bool succeeded, Order order) {
  return stamp << 8 | static_cast<U64>(succeeded) << 4 | static_cast<U64>(order);
}

// What the object of a synchronisation event is.
enum class SyncKind : U8 {
  Mutex,
  RwLock,
  SpinLock,
  Semaphore,
  Condition,
  Barrier,
  Once,
  Descriptor, // pipe, socket, eventfd: the object is the description, not the number
  Futex,
  Thread,
  User,  // told by an annotation
  State, // what a thread knew (abi/known.h); Signal gives it its meaning, Wait learns it
};

// Flags beside the kind.
inline constexpr U8 kShared = 1;    // a reader's hold of a read-write lock
inline constexpr U8 kTried = 2;     // acquired without waiting: cannot take part in a deadlock
inline constexpr U8 kRecursive = 4; // an inner hold of a lock already held
inline constexpr U8 kWriter = 8;    // Release of a lock held exclusively

// Of State. A Signal says in the place of a return address which other state is part of it, 0: none.
inline constexpr U8 kStateOwn = 8;     // of Signal: what the thread knows is part of it
inline constexpr U8 kStateByLock = 16; // of Wait: learnt from a lock, which another schedule could turn round
inline constexpr U8 kStateNamed = 32;  // of Wait: not learnt, but named by what follows

// Of Ignore.
inline constexpr U8 kIgnoreReads = 1;
inline constexpr U8 kIgnoreWrites = 2;
inline constexpr U8 kIgnoreSync = 4;

inline constexpr U64 syncPayload(SyncKind kind, U8 flags) { return static_cast<U64>(kind) << 8 | flags; }

} // namespace deadheat::abi
