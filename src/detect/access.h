// An access to memory with all that the engines need to judge it, as the sequencer (detector.h) hands it to the shards.
#pragma once

#include "detect/clock.h"
#include "detect/locks.h"

namespace deadheat::detect {

// How an access touches memory. Two of them conflict unless both only read or both are atomic.
enum Touch : uint8_t { kRead = 0, kWrite = 1, kAtomic = 2 };

constexpr bool conflict(uint8_t left, uint8_t right) {
  return ((left | right) & kWrite) != 0 && (left & right & kAtomic) == 0;
}

// Whatever conflicts with `old` conflicts with `now` too.
constexpr bool covers(uint8_t now, uint8_t old) {
  return (now & kWrite) >= (old & kWrite) && (now & kAtomic) <= (old & kAtomic);
}

enum class Operation : uint8_t {
  Access,
  Free,     // a write to the range, which stands for all that came before
  Allocate, // the range starts a new history
};

struct MemoryAccess {
  uint64_t address = 0;
  uint64_t bytes = 0;
  uint64_t sequence = 0;            // in the merged order
  const Clock *clock = nullptr;     // happens-before
  const Clock *hard = nullptr;      // hard order
  const Clock *handed = nullptr;    // with what critical sections hand over
  const Clock *overtaken = nullptr; // the sections that its thread overtook (handover.h)
  uint32_t access = 0;              // id of a late access, or of a call (Places)
  WhereId where;
  Slot slot = 0;
  uint8_t touch = kRead;
  Operation operation = Operation::Access;
  bool observedOnly = false; // locks say nothing about it
};

// What a cell remembers of an access.
struct Entry {
  Tick tick = 0;
  Slot slot = 0;
  uint8_t mask = 0; // the bytes of the cell that it touched, as far as nothing newer stands for them
  uint8_t touch = kRead;
  uint32_t access = 0;
  WhereId where;
};
static_assert(sizeof(Entry) == 16);

} // namespace deadheat::detect
