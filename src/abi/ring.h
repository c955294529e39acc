// The shared arena between the runtime in the user's processes and the deadheat process that drains it: one sparse
// file, mapped by all of them, with one ring per live thread. Both ends of the protocol are here.
//
// Claim   One writer (the thread that owns the ring) and one reader (the deadheat process). What is published is whole
//         events (abi/event.h), also where the writer was killed at any instruction. A word of a published event that was
//         never written, since a signal handler left the hook it had interrupted by longjmp, is 0.
// Assumes nothing about what the other side wrote: every index is masked or checked, so a damaged arena gives wrong
//         events, never a wild access.
// Cost    An event is one store per word and one to publish it.
// Misses  Two threads that share one thread pointer (raw clone without CLONE_SETTLS) share a ring and may spoil it.
//
//   header | claims to the rings | objects (libraries with instrumented code) | rings
#pragma once

#include "abi/types.h"

namespace deadheat::abi {

inline constexpr U64 kArenaMagic = 0x414e455241484444; // "DDHARENA"
inline constexpr U32 kArenaVersion = 3;
inline constexpr U32 kMaxRings = 2048;
inline constexpr U32 kMaxObjects = 256;
inline constexpr U32 kRingWords = 1 << 16;
inline constexpr U32 kUnstretched = 16; // ArenaHeader::stretch, sixteenths
inline constexpr U32 kNothingTaken = 0;
inline constexpr U32 kTallies = 128; // sets of the samplers that are compared

struct ArenaHeader {
  U64 magic;
  U32 version;
  U32 closed;           // the reader has gone
  U64 pidNamespace;     // of the reader: elsewhere thread ids mean nothing to it
  U64 nextId;           // next free access id; 0 is no id
  U64 nextFunction;     // next free function id; 0 is no id
  U64 tickets;          // claims of rings so far
  U32 processes;        // attached so far
  U32 objects;          // entries taken, may exceed kMaxObjects
  U32 refusedThreads;   // no ring was free
  U32 refusedObjects;   // no entry was free
  U32 refusedProcesses; // could not be followed: another pid namespace, or a kernel without MADV_WIPEONFORK
  U32 otherVersions;    // objects built for another abi version
  U32 reader;           // its process id
  U32 stretch; // of the samplers' pauses, in sixteenths, or kNothingTaken; the reader may change it at any time
  U32 lost;    // events of signal handlers that found no room while they interrupted a hook
  U8 reserved[4096 - 84];
};
static_assert(sizeof(ArenaHeader) == 4096);

// Which file it was, should the path be written anew.
struct FileIdentity {
  U64 device; // major << 32 | minor
  U64 inode;
  U64 modified; // nanoseconds

  bool operator==(const FileIdentity &) const = default;
};

// A file with instrumented code. It does not depend on the process: all processes that run it share the entry.
struct ObjectEntry {
  U32 ready; // stored last
  U32 base;  // id of its first access slot
  U64 slots; // link-time address of that slot
  U64 slotCount;
  FileIdentity file;
  U64 functions; // link-time address of its first function slot
  U32 functionBase;
  U32 functionCount;
  char path[4032];
};
static_assert(sizeof(ObjectEntry) == 4096);

// One thread's. The reader zeroes what it has read, so that a word that is never written is 0.
struct Ring {
  U32 process; // number of the process, unlike its pid never used twice
  U32 thread;  // number of the thread within it
  U8 padding0[56];
  U64 head; // words published so far
  U8 padding1[56];
  U64 tail; // words read so far
  U8 padding2[56];
  U64 tallies[kTallies]; // accesses of the thread, by the set of samplers that would have told them
  U64 toldCycles;        // where the run has a budget
  U64 syncCycles;
  U8 padding3[4096 - 208 - 8 * kTallies];
  U64 words[kRingWords];
};
static_assert(sizeof(Ring) == 4096 + kRingWords * 8);
static_assert(__builtin_offsetof(Ring, head) == 64 && __builtin_offsetof(Ring, tail) == 128);
static_assert(__builtin_offsetof(Ring, words) == 4096);

// Who has a ring. Apart from the rings, whose pages exist only once there is a ticket.
struct Claim {
  U64 owner;  // pid << 32 | tid; 0: free
  U64 ticket; // orders claims by one thread id; stored when the ring is ready
};

struct Arena {
  ArenaHeader header;
  Claim claims[kMaxRings];
  ObjectEntry objects[kMaxObjects];
  Ring rings[kMaxRings];
};

// What the reader reserves on the disk beforehand; a ring gets its pages when it is claimed.
inline constexpr U64 kArenaFixedBytes = __builtin_offsetof(Arena, rings);

inline constexpr U64 makeOwner(U32 pid, U32 tid) { return static_cast<U64>(pid) << 32 | tid; }
inline constexpr U32 ownerPid(U64 owner) { return static_cast<U32>(owner >> 32); }
inline constexpr U32 ownerTid(U64 owner) { return static_cast<U32>(owner); }

template <typename T> T loadAcquire(const T &from) { return __atomic_load_n(&from, __ATOMIC_ACQUIRE); }
template <typename T> T loadRelaxed(const T &from) { return __atomic_load_n(&from, __ATOMIC_RELAXED); }
template <typename T> void storeRelease(T &to, T value) { __atomic_store_n(&to, value, __ATOMIC_RELEASE); }
template <typename T> void storeRelaxed(T &to, T value) { __atomic_store_n(&to, value, __ATOMIC_RELAXED); }
template <typename T> T fetchAdd(T &to, T value) { return __atomic_fetch_add(&to, value, __ATOMIC_ACQ_REL); }

// The lowest free ring, so that the file stays small; kMaxRings if there is none.
inline U32 claimRing(Claim *claims, U64 owner) {
  for (U32 index = 0; index != kMaxRings; ++index) {
    U64 none = 0;
    if (loadRelaxed(claims[index].owner) == 0 &&
        __atomic_compare_exchange_n(&claims[index].owner, &none, owner, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
      return index;
  }
  return kMaxRings;
}

// Hands the published words to take(word), in order, and makes room. False: head and tail contradict each other, and
// what is between them is lost.
template <typename Take> bool drainRing(Ring &ring, Take take) {
  const U64 head = loadAcquire(ring.head);
  U64 tail = ring.tail;
  const bool sound = head - tail <= kRingWords;
  for (; sound && tail != head; ++tail) {
    U64 &word = ring.words[tail % kRingWords];
    take(loadRelaxed(word));
    storeRelaxed(word, U64(0));
  }
  storeRelease(ring.tail, head);
  return sound;
}

// Makes a drained ring free again. After damage any word may be there.
inline void resetRing(Ring &ring, bool damaged) {
  ring.process = ring.thread = 0;
  ring.head = ring.tail = 0;
  ring.toldCycles = ring.syncCycles = 0;
  for (U64 &tally : ring.tallies) tally = 0;
  for (U64 index = 0; damaged && index != kRingWords; ++index) ring.words[index] = 0;
}

} // namespace deadheat::abi
