// What a process that remembers its accesses (abi/shadow.h) knows of the order between its threads, so that what is ordered need
// neither be told nor be remembered any longer. No state but its own, so that a test may play any history on it.
//
// Claim   A thread knows of another's piece only if that is before it, by synchronisation or, `hard`, by synchronisation without
//         locks. The reader, who has all of it, judges the rest.
// Assumes what lets others go on is given before it happens and what waited is taken after it; atomic operations on one object
//         come one at a time.
// Differs ThreadSanitizer keeps every object's clock. Here objects share entries, and whoever comes last has it: forgetting makes
//         pairs that are told in vain, no race is lost by it.
// Cost    Half a kilobyte an entry, of which what so many threads need is touched.
// Misses  Fences, readers of a read-write lock, barriers, what a store of the same thread continues; threads beyond kClockedOwners.
#pragma once

#include "abi/ring.h"

namespace deadheat::abi {

inline constexpr U32 kClockedOwners = 64;

// By owner: pieces below are before whoever has this.
struct OwnerClock {
  U32 next[kClockedOwners];

  bool has(U32 owner, U32 piece) const { return owner < kClockedOwners && piece < next[owner]; }
  void raise(U32 owner, U32 piece) {
    if (owner < kClockedOwners && next[owner] < piece) next[owner] = piece;
  }
  void join(const OwnerClock &other, U32 count) {
    for (U32 owner = 0; owner != count; ++owner)
      if (next[owner] < other.next[owner]) next[owner] = other.next[owner];
  }
  void clear() {
    for (U32 &piece : next) piece = 0;
  }
};

// What one thread knows.
struct OrderKnown {
  OwnerClock all;
  OwnerClock hard;
};

struct Giver {
  U32 owner; // 0: did nothing yet
  U32 next;  // piece
};

enum class Gift : U8 {
  Lock,    // to whoever takes it next; another schedule could turn them round
  Message, // added to what was given
  Value,   // in the place of what was given
};

class SyncClocks {
public:
  static constexpr U32 kEntryBits = 12;

  void give(const OrderKnown &known, const Giver &giver, U64 object, Gift gift) {
    const U64 at = placeOf(object);
    Entry &entry = entries_[at];
    if (!enter(entry)) {
      if (gift == Gift::Value) storeRelaxed(objects_[at], U64(0));
      return;
    }
    if (giver.owner < kClockedOwners) raiseCount(giver.owner + 1);
    if (objects_[at] != object || gift == Gift::Value) begin(at, object);
    add(entry.all, known.all, giver);
    if (gift != Gift::Lock) add(entry.hard, known.hard, giver);
    leave(entry);
  }

  void take(OrderKnown &known, U64 object) {
    const U64 at = placeOf(object);
    Entry &entry = entries_[at];
    if (loadRelaxed(objects_[at]) != object || !enter(entry)) return;
    if (loadRelaxed(objects_[at]) == object) {
      known.all.join(entry.all, loadRelaxed(count_));
      known.hard.join(entry.hard, loadRelaxed(count_));
    }
    leave(entry);
  }

  // What is there now was given by nobody.
  void clear(U64 object) {
    if (loadRelaxed(objects_[placeOf(object)]) == object) storeRelaxed(objects_[placeOf(object)], U64(0));
  }

  // The memory starts anew.
  void forget(U64 address, U64 bytes) {
    if (bytes / kLine > kEntries) {
      for (U64 &object : objects_) forgetIn(object, address, bytes);
      return;
    }
    for (U64 line = address & ~(kLine - 1); line < address + bytes; line += kLine) {
      if (!(loadRelaxed(lines_[lineOf(line) / 64]) >> lineOf(line) % 64 & 1)) continue;
      for (U64 at = line; at != line + kLine; at += 8) forgetIn(objects_[placeOf(at)], address, bytes);
    }
  }

private:
  static constexpr U64 kEntries = U64(1) << kEntryBits;
  static constexpr U64 kLine = 64;
  static constexpr U32 kLineBits = 16;
  static constexpr int kTries = 1000; // whoever is interrupted in an entry may never come back

  struct Entry {
    U32 busy;
    OwnerClock all;
    OwnerClock hard;
  };

  // Objects in eight bytes share one, so that few are looked at where memory starts anew.
  static U64 placeOf(U64 object) { return (object / 8) * 0x9e3779b97f4a7c15 >> (64 - kEntryBits); }
  static U64 lineOf(U64 address) { return (address / kLine) * 0x9e3779b97f4a7c15 >> (64 - kLineBits); }

  static bool enter(Entry &entry) {
    for (int tries = 0; tries != kTries; ++tries)
      if (loadRelaxed(entry.busy) == 0 && __atomic_exchange_n(&entry.busy, 1u, __ATOMIC_ACQUIRE) == 0) return true;
    return false;
  }
  static void leave(Entry &entry) { storeRelease(entry.busy, 0u); }

  void begin(U64 at, U64 object) {
    Entry &entry = entries_[at];
    const U32 count = loadRelaxed(count_);
    for (U32 owner = 0; owner != count; ++owner) entry.all.next[owner] = entry.hard.next[owner] = 0;
    storeRelaxed(objects_[at], object);
    U64 &lines = lines_[lineOf(object) / 64];
    const U64 bit = U64(1) << lineOf(object) % 64;
    if (!(loadRelaxed(lines) & bit)) __atomic_fetch_or(&lines, bit, __ATOMIC_RELAXED);
  }

  void add(OwnerClock &clock, const OwnerClock &known, const Giver &giver) {
    clock.join(known, loadRelaxed(count_));
    if (giver.owner != 0) clock.raise(giver.owner, giver.next);
  }

  static void forgetIn(U64 &object, U64 address, U64 bytes) {
    if (loadRelaxed(object) - address < bytes) storeRelaxed(object, U64(0));
  }

  void raiseCount(U32 count) {
    U32 now = loadRelaxed(count_);
    while (now < count &&
           !__atomic_compare_exchange_n(&count_, &now, count, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
  }

  U32 count_;                       // owners from here on have given nothing
  U64 lines_[1 << (kLineBits - 6)]; // of memory that may have objects, a bit each
  U64 objects_[kEntries];           // by place; 0: none
  Entry entries_[kEntries];
};

} // namespace deadheat::abi
