// How the runtime finds instrumented code: every unit emits one ELF note (section .note.deadheat, in a PT_NOTE segment
// of whatever it is linked into). No symbol is exported, interposed or needed, so any linker and any link mode will do.
//
// Offsets are relative to the field that holds them, so the note needs no run-time relocation.
#pragma once

#include "abi/types.h"

namespace deadheat::abi {

inline constexpr char kNoteName[] = "Deadheat"; // with its zero: 9 bytes, padded to 12
inline constexpr U32 kNoteType = 1;

struct UnitNote {
  U32 abiVersion;
  I32 table;     // to the HookTable of this executable or library
  I32 functions; // to the unit's first function slot
  U32 functionCount;
  I32 accesses; // to the unit's first late access slot
  U32 accessCount;
  U32 checksumLow; // of the payload of the unit's model (model/frame.h): says which model speaks of these slots
  U32 checksumHigh;
};
static_assert(sizeof(UnitNote) == 32);

// What the byte of an access slot says: how many bytes the access has, as far as that is known when it is compiled. 0: the unit
// was compiled before slots said it. The runtime adds that the access was executed.
inline constexpr U8 kSlotLongest = 64;
inline constexpr U8 kSlotUpdate = 64; // and so many bytes more: a write that reads the same bytes before
inline constexpr U8 kSlotLongestUpdate = 8;
inline constexpr U8 kSlotPruned = 126;  // set by the runtime (abi/marks.h): not to be told
inline constexpr U8 kSlotUnknown = 127; // a range, a fence
inline constexpr U8 kSlotSeen = 128;    // by the runtime
inline constexpr U8 kSlotMarked = 128;  // by the director: it is a target

inline constexpr bool slotReadsToo(U32 byte) {
  const U32 length = byte & (kSlotSeen - 1u);
  return length > kSlotUpdate && length <= kSlotUpdate + kSlotLongestUpdate;
}

// 0: not known.
inline constexpr U32 slotLength(U32 byte) {
  const U32 length = byte & (kSlotSeen - 1u);
  if (slotReadsToo(byte)) return length - kSlotUpdate;
  return length <= kSlotLongest ? length : 0;
}

// Section names. Slots have sections of their own so that all slots of a library are one dense range.
inline constexpr char kNoteSection[] = ".note.deadheat";
inline constexpr char kFunctionSection[] = "deadheat_functions";
inline constexpr char kAccessSection[] = "deadheat_accesses";

// A shared library calls this, if it is there, from a constructor: it may arrive by dlopen, long after start-up.
inline constexpr char kAttachFunction[] = "__deadheat_attach";

} // namespace deadheat::abi
