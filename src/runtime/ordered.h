// What threads of a process that remembers its accesses know of each other (abi/sync_clocks.h), and under which locks their pieces
// were: what decides whether two accesses that met are worth telling.
//
// Claim   A pair that is left out is no race and predicts none: a message orders it, or locks do and both held the same ones. Of pairs
//         that locks alone order, some are told once for the same spots and locks.
// Cost    Four bytes for each piece; at each synchronisation what abi/sync_clocks.h says.
#pragma once

#include "runtime/shadow.h"

namespace deadheat::runtime {

// After a lock was taken, and before it is let go; likewise what is no lock.
void noteLockTaken(Thread &self, U64 object, U8 flags);
void noteLockLeft(Thread &self, U64 object, U8 flags);
void noteMessageTaken(Thread &self, U64 object);
void noteMessageGiven(Thread &self, U64 object);

// An atomic operation happened. `load`: it changed nothing; `store`: it read nothing.
struct AtomicDeed {
  abi::Order order;
  bool load;
  bool store;
};
void orderByAtomic(Thread &self, U64 object, const AtomicDeed &deed);

void giveToJoiner(Thread &self); // it ends
void learnFromThread(Thread &self, U32 ended);

// Exclusive holds of locks, as a number that is the same for the same locks; 0: none.
inline U32 lockMark(U64 held) { return static_cast<U32>(held >> 32) | (held != 0); }

bool mapLocks();
void noteLocks(Cell piece, U64 held); // that begins
U32 locksOf(Cell cell);               // of its piece

inline bool isHard(const Memory &memory, PieceName name) {
  return name.piece <
         (name.owner < abi::kClockedOwners ? memory.order.hard.next[name.owner] : memory.known[name.owner]);
}
[[gnu::always_inline]] inline bool isBefore(const Memory &memory, PieceName name) {
  return name.piece < (name.owner < abi::kClockedOwners ? memory.order.all.next[name.owner] : memory.known[name.owner]);
}

} // namespace deadheat::runtime
