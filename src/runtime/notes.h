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

// A dense range of slots, by run-time addresses.
struct SlotSpan {
  U64 first = ~0ul;
  U64 end = 0;

  U64 count() const { return end > first ? end - first : 0; }
};

// What the notes of an object say together.
struct NoteSummary {
  U32 units = 0;
  U32 otherVersions = 0;
  SlotSpan accesses;
  SlotSpan functions;
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
