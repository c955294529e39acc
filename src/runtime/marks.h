// Applies the rows of abi/marks.h to the slots of units.
//
// Claim   A file that is not there, or is none of these, changes nothing.
// Cost    A search by checksum for each unit when it is attached; a look at the slot for each execution that would be told.
#pragma once

#include "abi/marks.h"
#include "abi/note.h"
#include "abi/ring.h"
#include "runtime/notes.h"

namespace deadheat::runtime {

// Maps the file that DEADHEAT_OPTIONS names.
void openMarks(const char *path);

void applyMarks(const abi::UnitNote &note);

inline bool isPruned(const void *access) {
  return abi::loadRelaxed(*static_cast<const U8 *>(access)) == abi::kSlotPruned;
}

} // namespace deadheat::runtime
