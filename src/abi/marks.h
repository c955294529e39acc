// What the deadheat process says beforehand of accesses and functions, by what was found without a run: a file of rows, sorted by
// checksum, that the runtime applies to the slots of each unit when it attaches.
#pragma once

#include "abi/types.h"

namespace deadheat::abi {

inline constexpr U64 kMarksMagic = 0x534b52414d484444; // "DDHMARKS"

enum class MarkKind : U32 {
  Pruned,  // an access: it is not told
  Steered, // a function: it is told more often
};

struct Mark {
  U64 checksum; // of the unit's model (abi/note.h)
  U32 slot;     // of the unit: access or function
  MarkKind kind;
};
static_assert(sizeof(Mark) == 16);

struct MarksHeader {
  U64 magic;
  U64 count;
};

} // namespace deadheat::abi
