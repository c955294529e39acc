// The shadow of a process whose every access is watched: what its threads did to its memory, remembered where they did it, so
// that only what two threads share is told (abi/shadow.h, abi/cells.h).
//
// Claim   If two threads make conflicting accesses, and cells still remember the earlier one when the later one is made, the
//         later tells them as a Pair, unless creation or end of a thread orders them, or it told such a pair (same spots,
//         same earlier piece) since it last let others go on. The reader, who knows all synchronisation, judges.
// Assumes addresses below 2^47 of which no two regions in use are equal in their lower 44 bits, as Linux lays processes out:
//         program and heap at 0x55.. and 0x56.., libraries and stacks at 0x7e.. and 0x7f.., fixed ones at 0x00...
// Differs from ThreadSanitizer in who judges: there each thread has a vector clock, here the reader has it.
// Cost    Two bytes for each byte of memory that is accessed, four where it is shared. An access that an own cell stands for: some twenty
//         instructions. What was just told is remembered by each thread, so a buffer that goes from thread to thread is
//         told once, not byte by byte.
// Misses  What four cells have forgotten. A thread that finds no number: more than two thousand at once.
#pragma once

#include "abi/cells.h"
#include "runtime/frames.h"
#include "runtime/numbers.h"

namespace deadheat::runtime {

using abi::CellGroup;
using abi::kNearCells;

// An access in a context, and its spot.
struct SpotEntry {
  U32 context;
  U32 access; // id
  U32 spot;   // 0: none
};

// A call that was entered before.
struct ContextEntry {
  U64 returns;
  U32 function;
  U32 outer;
  U32 context; // 0: none
};

// A pair that was told.
struct ToldPair {
  U64 earlier; // its cell, without the bytes
  U32 spot;    // and what it does, of the later
  U32 clock;   // of the thread
};

inline constexpr U32 kToldPairs = 1024;
inline constexpr U32 kSpotEntries = 4096;
inline constexpr U32 kContextEntries = 2048;

// Of one thread, apart from the user's memory.
struct Memory {
  U32 known[abi::kOwners]; // by owner: pieces below are before this thread, by creation and end of threads
  ToldPair told[kToldPairs];
  Numbers contexts;
  Numbers spots;
  SpotEntry spotEntries[kSpotEntries];
  ContextEntry contextEntries[kContextEntries];
  U32 owner; // 0: none
  U32 piece;
  U32 firstPiece; // with this owner
  U32 wipes;      // of the shadow, that `known` takes into account
  U32 at;         // context told last
  U32 turn;       // which cell makes room
};

// Cells of the thread from this piece on stand for what it does now.
inline void setCover(Thread &self, U32 piece) {
  self.coverLow = abi::makeCell(self.memory->owner, piece, 0, 0);
  self.coverSpan = (static_cast<U64>(abi::kMostPieces - piece) << abi::kPieceShift) - 1;
}

inline constexpr U64 kShadowWindow = U64(1) << 44; // addresses that are told apart
inline constexpr U64 kShadowGrowth = kNearCells * sizeof(U64) / abi::kGranule;
inline constexpr U64 kPlaneBytes = kShadowWindow * kShadowGrowth;

extern U64 shadowBase; // context.shadow, where one instruction reads it

[[gnu::always_inline]] inline U64 *nearCells(U64 address) {
  return reinterpret_cast<U64 *>(shadowBase + (address & (kShadowWindow - abi::kGranule)) * kShadowGrowth);
}
[[gnu::always_inline]] inline CellGroup cellsOf(U64 address) { return {nearCells(address), kPlaneBytes / sizeof(U64)}; }

[[gnu::always_inline]] inline bool standsFor(const Thread &self, U64 cell, U64 deed) {
  return cell - self.coverLow <= self.coverSpan && (cell & deed) == deed;
}

// Whether near cells of the thread, one or both together, stand for an access with this deed to these eight bytes.
[[gnu::always_inline]] inline bool nearStandFor(const Thread &self, U64 address, U64 deed) {
  const U64 *cells = nearCells(address);
  const U64 first = abi::loadRelaxed(cells[0]), second = abi::loadRelaxed(cells[1]);
  const U64 kind = deed & ~abi::kBytesMask;
  const U64 both = (standsFor(self, first, kind) ? first : 0) | (standsFor(self, second, kind) ? second : 0);
  return (both & deed) == deed;
}

// visit(granule, its bytes of the range).
template <typename Visit> [[gnu::always_inline]] inline void eachGranule(U64 address, U64 bytes, Visit visit) {
  const U64 end = address + bytes;
  for (U64 granule = address & ~U64(abi::kGranule - 1); granule < end; granule += abi::kGranule) {
    const U64 low = address > granule ? address - granule : 0;
    const U64 high = end - granule < abi::kGranule ? end - granule : abi::kGranule;
    visit(granule, (U64(1) << high) - (U64(1) << low));
  }
}

// Before any thread is equipped. False: there is no room for a shadow.
bool mapShadow();

// For a thread that has just got a ring; false: it tells no accesses.
bool openMemory(Thread &self);
bool beginPiece(Writer &writer); // false: there is no owner for it
void closeMemory(Thread &self);
void endMemory(Thread &self); // the thread has told its End

// The new thread knows all that its creator knows and did. The creator waits meanwhile.
void inherit(Thread &self, const Memory &creator);
void noteJoined(Thread &self, U32 joined);

// Something that others may wait for: what came before may have to be remembered again.
inline void endPiece(Thread &self) {
  ++self.clock;
  self.pieceEnded = true;
  if (self.memory) setCover(self, self.memory->piece + 1);
}

// A lock was taken: what comes is guarded by it, what was remembered stands for it all the same.
inline void markLocked(Thread &self) { self.pieceEnded = true; }

// Where accesses are remembered: as an access of `deed` (abi::kPlain | abi::kWrites) to bytes that a library call touches.
void rememberCall(Thread &self, U64 address, U64 bytes, U64 deed, U64 returns, U64 frame);
void rememberFree(Thread &self, U64 address, U64 bytes, U64 returns, U64 frame);

// The memory starts a new history.
void forgetRange(U64 address, U64 bytes);
void exemptRange(U64 address, U64 bytes); // by annotation: races there are none

// The number of the access's spot where the thread is now, with a piece begun; 0: nothing can be remembered.
U32 spotOf(Thread &self, U64 slot, U64 frame);
// Whether the thread's cells stand for all of it.
bool standForRange(const Thread &self, U64 address, U64 bytes, U64 deed);
void touchRange(Thread &self, U64 address, U64 bytes, U32 spot, U64 deed, U64 frame);

} // namespace deadheat::runtime
