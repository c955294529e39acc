// What is noted in the slots of accesses and functions themselves: a byte each, in the program's own data, zero when it starts. Any
// thread may note; a note is never taken back.
#pragma once

#include "abi/near.h"
#include "abi/note.h"
#include "runtime/context.h"

namespace deadheat::runtime {

enum class SlotNote : U8 {
  Load = abi::kSlotSeen, // an atomic load
  Steered = 1,           // a function that is told more often
  CountsItself = abi::kSlotCountsItself,
};

inline bool hasNote(const void *slot, SlotNote note) {
  return (abi::loadRelaxed(*static_cast<const U8 *>(slot)) & static_cast<U8>(note)) != 0;
}

inline void addNote(void *slot, SlotNote note) {
  __atomic_fetch_or(static_cast<U8 *>(slot), static_cast<U8>(note), __ATOMIC_RELAXED);
}

} // namespace deadheat::runtime
