// The shared arena between the runtime in the user's processes and the deadheat process that drains it: one sparse
// file, mapped by all of them, with one ring per live thread. Both ends of the protocol are here.
//
// Claim   One writer (the thread that owns the ring) and one reader (the deadheat process). A writer killed at any
//         instruction leaves a ring whose published records are whole, and no execution is counted twice.
// Assumes nothing about what the other side wrote: every index is masked or checked, so a damaged arena gives wrong
//         numbers, never a wild access.
// Cost    A repeated access is one load and one store; a conflict in the cache adds one 8-byte record.
// Misses  Two threads that share one thread pointer (raw clone without CLONE_SETTLS) share a ring and may lose counts.
//
//   header | claims to the rings | objects (libraries with instrumented code) | rings
#pragma once

#include "abi/types.h"

namespace deadheat::abi {

inline constexpr U64 kArenaMagic = 0x414e455241484444; // "DDHARENA"
inline constexpr U32 kArenaVersion = 1;
inline constexpr U32 kMaxRings = 2048;
inline constexpr U32 kMaxObjects = 256;
inline constexpr U32 kRingRecords = 8192;
inline constexpr U32 kCacheEntries = 256;

struct ArenaHeader {
  U64 magic;
  U32 version;
  U32 closed;           // the reader has gone
  U64 pidNamespace;     // of the reader: elsewhere thread ids mean nothing to it
  U64 nextId;           // next free access id; 0 is no id
  U64 tickets;          // claims of rings so far
  U32 processes;        // attached so far
  U32 objects;          // entries taken, may exceed kMaxObjects
  U32 refusedThreads;   // no ring was free
  U32 refusedObjects;   // no entry was free
  U32 refusedProcesses; // could not be followed: another pid namespace, or a kernel without MADV_WIPEONFORK
  U32 otherVersions;    // objects built for another abi version
  U8 reserved[4096 - 64];
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
  U8 reserved[16];
  char path[4032];
};
static_assert(sizeof(ObjectEntry) == 4096);

// One thread's. A record is {id, count} in eight bytes, the size of the access events to come.
struct Ring {
  U32 process; // number of the process, unlike its pid never used twice
  U32 reserved;
  U64 dropped; // executions that were not told because the ring was full
  U64 skipped; // executions inside a signal handler that interrupted a hook
  U8 padding0[40];
  U64 head; // records written so far
  U8 padding1[56];
  U64 tail; // records read so far
  U8 padding2[2048 - 136];
  U64 cache[kCacheEntries]; // direct-mapped by id, holds what is not yet a record
  U64 records[kRingRecords];
};
static_assert(sizeof(Ring) == 4096 + kRingRecords * 8);
static_assert(__builtin_offsetof(Ring, head) == 64 && __builtin_offsetof(Ring, tail) == 128);
static_assert(__builtin_offsetof(Ring, cache) == 2048 && __builtin_offsetof(Ring, records) == 4096);

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

inline constexpr U64 makeRecord(U32 id, U32 count) { return static_cast<U64>(id) << 32 | count; }
inline constexpr U32 recordId(U64 record) { return static_cast<U32>(record >> 32); }
inline constexpr U32 recordCount(U64 record) { return static_cast<U32>(record); }

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

inline bool isFull(const Ring &ring) { return ring.head - loadAcquire(ring.tail) >= kRingRecords; }

// The cache entry that `id` shares. The first half of counting; false: it holds something else, or cannot hold more.
[[gnu::always_inline]] inline bool countInCache(Ring &ring, U32 id) {
  U64 &entry = ring.cache[id % kCacheEntries];
  const U64 held = entry;
  if (recordId(held) != id || recordCount(held) == 0xffffffffu) return false;
  storeRelaxed(entry, held + 1);
  return true;
}

// The other half: gives the entry to `id` and tells what it held, or drops that where the ring is full. The entry
// changes hands before the record is published: a writer killed in between loses one record and doubles none.
inline void replaceInCache(Ring &ring, U32 id) {
  U64 &entry = ring.cache[id % kCacheEntries];
  const U64 held = entry;
  const U64 head = ring.head;
  const bool full = held != 0 && isFull(ring);
  if (held != 0 && !full) storeRelaxed(ring.records[head % kRingRecords], held);
  storeRelease(entry, makeRecord(id, 1));
  if (full)
    ring.dropped += recordCount(held);
  else if (held != 0)
    storeRelease(ring.head, head + 1);
}

// Reads what is published and calls take(id, count). False: head and tail contradict each other, and the rest is lost.
template <typename Take> bool drainRing(Ring &ring, Take take) {
  const U64 head = loadAcquire(ring.head);
  U64 tail = ring.tail;
  const bool sound = head - tail <= kRingRecords;
  for (; sound && tail != head; ++tail) {
    const U64 record = loadRelaxed(ring.records[tail % kRingRecords]);
    take(recordId(record), recordCount(record));
  }
  storeRelease(ring.tail, head);
  return sound;
}

// What the writer had not yet published: for a ring whose owner has gone.
template <typename Take> void drainCache(Ring &ring, Take take) {
  for (const U64 &entry : ring.cache)
    if (const U64 record = loadRelaxed(entry)) take(recordId(record), recordCount(record));
}

// Makes a drained ring free again.
inline void resetRing(Ring &ring) {
  ring.process = 0;
  ring.dropped = ring.skipped = ring.head = ring.tail = 0;
  for (U64 &entry : ring.cache) entry = 0;
}

} // namespace deadheat::abi
