// The shadow of a process whose every access is watched: what its threads did to its memory, remembered where they did it, so
// that only what two threads share is told (abi/shadow.h, abi/cells.h).
//
// Claim   If two threads make conflicting accesses, and cells still remember the earlier one when the later one is made, the
//         later tells them as a Pair, unless the process knows that it is no race and predicts none (ordered.h), or it told such
//         a pair since it last let others go on. The reader, who knows all synchronisation, judges.
// Assumes addresses below 2^47 of which no two regions in use are equal in their lower 44 bits, as Linux lays processes out:
//         program and heap at 0x55.. and 0x56.., libraries and stacks at 0x7e.. and 0x7f.., fixed ones at 0x00...
// Differs from ThreadSanitizer in who judges: clocks are here, too, but they may forget, and the reader has the whole ones.
// Cost    Two bytes for each byte of memory that is accessed, and as much for what is changed less often. An access that an own cell
//         stands for: some thirty instructions. What was just told is remembered by each thread, so a buffer that goes from
//         thread to thread is told once, not byte by byte.
// Misses  What four cells have forgotten, or blocks.h. A thread that finds no number: more than two thousand at once.
#pragma once

#include "abi/note.h"
#include "abi/sync_clocks.h"
#include "runtime/blocks.h"
#include "runtime/frames.h"
#include "runtime/numbers.h"

namespace deadheat::runtime {

using abi::Cell;
using abi::CellGroup;

// Accesses with neighbouring ids in a context, and their spots: numbers in a row, each told when it is first met.
struct SpotEntry {
  U64 key;   // context and window of ids
  U32 first; // spot; 0: none
  U32 told;  // a bit each
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
  U64 earlier; // its cell, without the bytes; without the piece, where it is before the later
  U32 spot;    // and what it does, of the later
  U32 when;    // the thread's clock; the locks of both, where the earlier is before the later

  bool operator==(const ToldPair &) const = default;
};

inline constexpr U32 kToldPairs = 1024;
inline constexpr U32 kSpotEntries = 16384;
using abi::kSpotWindow;
inline constexpr U32 kContextEntries = 8192;

// Of one thread, apart from the user's memory.
struct Memory {
  U32 known[abi::kOwners]; // by owner: pieces below are before this thread, by creation and end of threads
  abi::OrderKnown order;   // of the first owners: by all synchronisation (ordered.h)
  abi::OwnerClock handed;  // pieces below were told as what the thread read under the lock that they were written under
  abi::OwnerClock overtaken; // and as what it wrote under the lock that they were read under
  ToldPair told[kToldPairs];
  Numbers contexts;
  Numbers windows; // of spots
  SpotEntry spotEntries[kSpotEntries];
  ContextEntry contextEntries[kContextEntries];
  U32 owner;      // 0: none
  U32 block;      // 0: none
  U32 firstBlock; // of those that lie together
  U32 piece;
  U32 firstPiece;                              // with this owner
  U32 at;                                      // context told last
  U32 turn;                                    // which cell makes room
  U8 toldSpots[abi::kMostSpots / kSpotWindow]; // a bit each
};

inline constexpr U64 kShadowWindow = U64(1) << 44; // addresses that are told apart
inline constexpr U64 kShadowGrowth = abi::kCells * sizeof(Cell) / abi::kGranule;
inline constexpr U64 kPlaneBytes = kShadowWindow * kShadowGrowth;
inline constexpr U64 kShadowBytes = 2 * kPlaneBytes; // cells, and their spots

[[gnu::visibility("hidden")]] extern U64 shadowBase; // context.shadow, where one instruction reads it

[[gnu::always_inline]] inline CellGroup cellsOf(U64 address) {
  const U64 at = shadowBase + (address & (kShadowWindow - abi::kGranule)) * kShadowGrowth;
  return {reinterpret_cast<Cell *>(at), reinterpret_cast<U32 *>(at + kPlaneBytes)};
}

// Lanes are compared as signed numbers.
inline constexpr U32 kLaneBias = 1u << 31;
inline void fillLanes(Lanes &lanes, U32 value) {
  lanes.halves[0] = lanes.halves[1] = static_cast<U64>(value) << 32 | value;
}

inline void setRange(Lanes &lowest, Lanes &span, Cell low, Cell high) {
  fillLanes(lowest, low - kLaneBias);
  fillLanes(span, high - low + kLaneBias);
}

inline Cell lastOfBlock(Cell cell) { return cell | ((1u << abi::kBlockShift) - 1); }

// Cells of the thread from this one on, as far as its block goes, stand for what it does now. 0: none does.
inline void setCover(Thread &self, Cell low) {
  setRange(self.coverLow, self.coverSpan, low, low == 0 ? 0 : lastOfBlock(low));
}
inline bool hasCover(const Thread &self) { return self.coverLow.lanes[0] != static_cast<abi::I32>(0 - kLaneBias); }

// visit(granule, its bytes of the range).
template <typename Visit> [[gnu::always_inline]] inline void eachGranule(U64 address, U64 bytes, Visit visit) {
  const U64 end = address + bytes;
  for (U64 granule = address & ~U64(abi::kGranule - 1); granule < end; granule += abi::kGranule) {
    const U64 low = address > granule ? address - granule : 0;
    const U64 high = end - granule < abi::kGranule ? end - granule : abi::kGranule;
    visit(granule, static_cast<U32>((U64(1) << high) - (U64(1) << low)));
  }
}

// As many bytes as the slot says; where it does not, one.
inline U64 slotBytes(U64 slot) {
  const U32 bytes = abi::slotLength(*reinterpret_cast<const U8 *>(slot));
  return bytes != 0 ? bytes : 1;
}

inline bool isIgnored(const Thread &self, U64 deed) {
  return (self.ignored.inLock | (deed & abi::kWrites ? self.ignored.writes : self.ignored.reads)) != 0;
}

// Before any thread is equipped. False: there is no room for a shadow.
bool mapShadow();

// For a thread that has just got a ring; false: it tells no accesses.
bool openMemory(Thread &self);
bool beginPiece(Writer &writer); // false: there is no number for it
void closeMemory(Thread &self);
void endMemory(Thread &self); // the thread has told its End

// The new thread knows all that its creator knows and did. The creator waits meanwhile.
void inherit(Thread &self, const Memory &creator);
void noteJoined(Thread &self, U32 joined);

// Something that others may wait for: what came before may have to be remembered again.
inline void endPiece(Thread &self) {
  ++self.clock;
  self.pieceEnded = true;
  if (self.memory) setCover(self, 0);
}

// A lock was taken: what comes is guarded by it, what was remembered stands for it all the same.
inline void markLocked(Thread &self) { self.pieceEnded = true; }

// Where accesses are remembered: as an access of `deed` (abi::kPlain | abi::kWrites) to bytes that a library call touches.
void rememberCall(Thread &self, U64 address, U64 bytes, U64 deed, U64 returns, U64 frame);
void rememberFree(Thread &self, U64 address, U64 bytes, U64 returns, U64 frame);

// The memory starts a new history.
void forgetRange(U64 address, U64 bytes);
void exemptRange(U64 address, U64 bytes); // by annotation: races there are none

// --- contexts and spots (spots.cpp)

// The context of the innermost call, which has been resolved.
inline U32 contextOf(const Thread &self) { return self.depth == 0 ? 0 : self.own->frames[self.depth - 1].context; }

inline constexpr U64 spotKey(U32 where, U32 window) { return static_cast<U64>(where) << 32 | window; }

[[gnu::always_inline]] inline SpotEntry &spotEntry(Memory &memory, U64 key) {
  return memory.spotEntries[key * 0x9e3779b97f4a7c15 >> 50];
}
static_assert(kSpotEntries == 1 << 14);

[[gnu::always_inline]] inline ContextEntry &contextEntry(Memory &memory, const Frame &frame, U32 outer) {
  return memory.contextEntries[(frame.returns ^ static_cast<U64>(outer) << 32) * 0x9e3779b97f4a7c15 >> 51];
}
static_assert(kContextEntries == 1 << 13);

// Of the first frame whose own is not known.
[[gnu::always_inline]] inline U32 outerContext(const Thread &self) {
  return self.resolved == 0 ? 0 : self.own->frames[self.resolved - 1].context;
}

// Contexts of calls that were entered before; false: there is one that was not.
[[gnu::always_inline]] inline bool resolveKnown(Thread &self) {
  for (; self.resolved < self.depth; ++self.resolved) {
    Frame &frame = self.own->frames[self.resolved];
    const U32 outer = outerContext(self);
    const ContextEntry &entry = contextEntry(*self.memory, frame, outer);
    if (entry.returns != frame.returns || entry.function != frame.function || entry.outer != outer ||
        entry.context == 0)
      return false;
    frame.context = entry.context;
  }
  return true;
}

// Of an access in a context; 0: it was not told, or longer ago.
[[gnu::always_inline]] inline U32 toldSpot(Memory &memory, U32 where, U32 access) {
  const U64 key = spotKey(where, access / kSpotWindow);
  const U32 in = access % kSpotWindow;
  const SpotEntry &entry = spotEntry(memory, key);
  return entry.key == key && (entry.told >> in & 1) != 0 ? entry.first + in : 0;
}

// The spot of an access where the piece has begun and the context and the spot are known; 0: ask spotOf.
[[gnu::always_inline]] inline U32 knownSpot(Thread &self, U64 slot, U64 frame) {
  dropFrames(self, returnSlotOf(frame));
  if (self.pieceEnded || !resolveKnown(self)) return 0;
  return toldSpot(*self.memory, contextOf(self), self.accesses.idOf(slot));
}

// The number of the access's spot where the thread is now, with a piece begun; 0: nothing can be remembered.
U32 spotOf(Thread &self, U64 slot, U64 frame);
// Likewise of a library call.
U32 spotOfCall(Thread &self, U64 what, U64 frame);

// --- cells

// Whether the thread's cells stand for all of it.
bool standForRange(const Thread &self, U64 address, U64 bytes, U64 deed);
// The eight bytes that `address` lies in, as `cell` says. `reads`: it reads them, if only before it writes.
void touchGranule(Thread &self, U64 address, Cell cell, U32 spot, U64 frame, bool reads);
// `deed` may have kReadsToo.
inline constexpr U64 kReadsToo = abi::kDeedMask + 1;
void touchRange(Thread &self, U64 address, U64 bytes, U32 spot, U64 deed, U64 frame);

} // namespace deadheat::runtime
