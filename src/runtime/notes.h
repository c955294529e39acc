// Reads the notes of one loaded object (abi/note.h).
//
// Claim   Whatever the segments hold, only addresses inside the object are used: a note that points elsewhere is passed
//         over.
#pragma once

#include <elf.h>

#include "abi/note.h"
#include "abi/table.h"
#include "runtime/system.h"

namespace deadheat::runtime {

struct Image {
  U64 bias;
  const Elf64_Phdr *headers;
  U32 headerCount;
};

// What the notes of an object say together.
struct NoteSummary {
  U32 units = 0;
  U32 otherVersions = 0;
  U64 firstSlot = ~0ul; // run-time address
  U64 slotEnd = 0;

  U64 slotCount() const { return slotEnd > firstSlot ? slotEnd - firstSlot : 0; }
};

inline U64 target(const I32 &offset) {
  return reinterpret_cast<U64>(&offset) + static_cast<U64>(static_cast<long>(offset));
}

using NoteVisitor = void (*)(void *state, const Image &image, const abi::UnitNote &note);

void forEachNote(const Image &image, NoteVisitor visit, void *state);

NoteSummary summarise(const Image &image);

// Null unless the whole table lies in the object's writable memory.
abi::HookTable *tableOf(const Image &image, const abi::UnitNote &note);

} // namespace deadheat::runtime
