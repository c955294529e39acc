// The four cells of eight bytes: what the shadow remembers of them, and what a new access changes. No state but the cells, so
// that a test may play any history on them. A cell is half a word, so that one load has all four:
//
//   31 .. 19 block | 18 .. 10 piece in it | 9 writes | 8 plain | 7 .. 0 the bytes of the eight
//
// A block is a few hundred pieces of one thread. Apart from the cells lie their spots, which only those need who change a cell or
// tell of one: 31 .. 10 spot | 9 .. 0 a mark of the cell, by which a spot of another access is known.
//
// Claim   An access that conflicts with a remembered one of another thread is handed to `meets`. The cells keep, of one thread and
//         of what `known` says is before the access, the newest accesses that stand for all older ones.
// Assumes a cell is stored and loaded whole. What is not the thread's own is changed by compare-and-exchange, and whoever comes
//         second looks again. Only what a thread alone has it stores without: another that arrives in that instant may be missed.
// Differs FastTrack keeps a vector of readers. Here four accesses are kept; where there are more, reads make room first.
//         ThreadSanitizer has cells of this size, and finds what they say of the program in a log of limited length.
// Cost    One load and two stores for what one thread uses.
#pragma once

#include "abi/ring.h"
#include "abi/shadow.h"

namespace deadheat::abi {

using Cell = U32;

inline constexpr U32 kCells = 4;
inline constexpr U32 kDeedBits = 10;
inline constexpr U32 kBlockPieceBits = 9;
inline constexpr U32 kBlockPieces = 1 << kBlockPieceBits;
inline constexpr U32 kBlockShift = kDeedBits + kBlockPieceBits;
inline constexpr U32 kBlocks = 1 << (32 - kBlockShift);
inline constexpr U32 kFirstBlock = 1;               // a cell of zeros says nothing
inline constexpr U32 kEndBlock = kBlocks - 1;       // the last one is kExempt's
inline constexpr Cell kExempt = ~0u << kBlockShift; // in the first cell: by annotation, races there are none

inline constexpr Cell cellOf(U32 block, U32 piece, U64 deed) {
  return block << kBlockShift | piece << kDeedBits | static_cast<U32>(deed);
}
inline constexpr U32 blockOf(Cell cell) { return cell >> kBlockShift; }
inline constexpr U32 pieceInBlock(Cell cell) { return cell >> kDeedBits & (kBlockPieces - 1); }
inline constexpr U32 bytesOf(Cell cell) { return cell & static_cast<U32>(kBytesMask); }
inline constexpr Cell withBytes(Cell cell, U32 bytes) { return (cell & ~static_cast<U32>(kBytesMask)) | bytes; }

// The mark says whose and what kind, not which bytes: those may be fewer than they were.
inline constexpr U32 kMarkBits = 10;
inline constexpr U32 markOf(Cell cell) { return (cell >> 8) * 0x9e3779b1u >> (32 - kMarkBits); }
inline constexpr U32 spotWord(Cell cell, U32 spot) { return spot << kMarkBits | markOf(cell); }
inline constexpr bool isSpotOf(U32 word, Cell cell) { return (word & ((1 << kMarkBits) - 1)) == markOf(cell); }
static_assert(kSpotBits + kMarkBits == 32);

// What conflicts with the old one in some byte conflicts with the new one there, too, if that has the byte.
inline bool kindCovers(Cell now, Cell old) { return (old & ~now & (kPlain | kWrites)) == 0; }

// Where the cells of eight bytes lie, and their spots.
struct CellGroup {
  Cell *cells;
  U32 *spots;

  Cell load(U32 at) const { return loadRelaxed(cells[at]); }
  U32 spot(U32 at) const { return loadRelaxed(spots[at]); }
  void store(U32 at, Cell cell, U32 spot) const {
    storeRelaxed(cells[at], cell);
    storeRelaxed(spots[at], spotWord(cell, spot));
  }
  // False: another thread was there first.
  bool exchange(U32 at, Cell from, Cell to) const {
    return __atomic_compare_exchange_n(&cells[at], &from, to, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
  }
};

// What an access finds in the cells, and what becomes of it.
struct Found {
  Cell seen[kCells];
  U32 place;    // of the cell that is changed; kCells: none can be
  Cell now;     // what is to be there
  bool isAlone; // nobody else has a cell, and one of the thread's own makes room
};

// The cell that makes room where all four are taken: a read rather than a write, by turns.
inline U32 victimOf(const Found &found, U32 turn) {
  for (U32 step = 0; step != kCells; ++step)
    if (const U32 at = (turn + step) % kCells; !(found.seen[at] & kWrites)) return at;
  return turn % kCells;
}

// Of what is before the access: what it stands for goes.
inline bool replaces(const CellGroup &group, Found &found, U32 at, Cell cell, bool own) {
  const Cell old = found.seen[at];
  const U32 rest = bytesOf(old) & ~bytesOf(cell);
  if (!kindCovers(cell, old) || rest == bytesOf(old)) return false;
  if (rest == 0) return true;
  if (own && group.exchange(at, old, withBytes(old, rest))) found.seen[at] = withBytes(old, rest);
  return false;
}

// `Eyes` has  bool owns(Cell)    the thread's own
//            bool known(Cell)   that access of another thread is before this one
//            void meets(Cell, U32 at, bool known)   it conflicts
template <typename Eyes>
[[gnu::always_inline]] inline Found lookAtCells(const CellGroup &group, Cell cell, U32 spot, Eyes &eyes) {
  Found found{{group.load(0), group.load(1), group.load(2), group.load(3)}, kCells, cell, true};
  U32 hole = kCells, ordered = kCells, merged = kCells;
  bool others = false;
  for (U32 at = 0; at != kCells; ++at) {
    const Cell old = found.seen[at];
    if (bytesOf(old) == 0) {
      hole = at;
      continue;
    }
    const bool own = eyes.owns(old);
    if (own && ((old ^ cell) & ~static_cast<U32>(kBytesMask)) == 0 && group.spot(at) == spotWord(cell, spot)) {
      merged = at;
      continue;
    }
    const bool before = own || eyes.known(old);
    others |= !own;
    if (!own && deedsConflict(cell, old)) eyes.meets(old, at, before);
    if (!before || !replaces(group, found, at, cell, own)) continue;
    if (own && found.place == kCells)
      found.place = at;
    else if (!own)
      ordered = at;
    else if (group.exchange(at, old, 0))
      found.seen[at] = 0;
  }
  found.isAlone = !others;
  if (merged != kCells) {
    if (found.place != kCells && group.exchange(found.place, found.seen[found.place], 0)) found.seen[found.place] = 0;
    found.place = merged;
    found.now |= bytesOf(found.seen[merged]);
  } else if (found.place == kCells) {
    found.place = hole != kCells ? hole : ordered;
    found.isAlone = false;
  }
  return found;
}

// Of others that came while the cell was stored: each sees the other's, or the other sees this one.
template <typename Eyes> inline void lookAgain(const CellGroup &group, const Found &found, Cell cell, Eyes &eyes) {
  for (U32 at = 0; at != kCells; ++at) {
    const Cell now = group.load(at);
    if (at != found.place && now != found.seen[at] && bytesOf(now) != 0 && !eyes.owns(now) && deedsConflict(cell, now))
      eyes.meets(now, at, eyes.known(now));
  }
}

inline constexpr U32 kTries = 8; // as many others may come first

template <typename Eyes>
[[gnu::always_inline]] inline void touchCells(const CellGroup &group, Cell cell, U32 spot, U32 turn, Eyes eyes) {
  for (U32 tries = 0; tries != kTries; ++tries) {
    Found found = lookAtCells(group, cell, spot, eyes);
    if (found.isAlone) return group.store(found.place, found.now, spot);
    if (found.place == kCells) found.place = victimOf(found, turn);
    if (!group.exchange(found.place, found.seen[found.place], found.now)) continue;
    storeRelaxed(group.spots[found.place], spotWord(found.now, spot));
    return lookAgain(group, found, cell, eyes);
  }
  group.store(turn % kCells, cell, spot);
}

// The spot of a cell that was seen there. 0: it is not there any more.
inline U32 spotAt(const CellGroup &group, U32 at, Cell cell) {
  constexpr U32 kLooks = 10000; // whoever stored the cell stores the spot next
  for (U32 looks = 0; looks != kLooks; ++looks) {
    const U32 word = group.spot(at);
    const Cell now = __atomic_load_n(&group.cells[at], __ATOMIC_ACQUIRE);
    if (((now ^ cell) & ~static_cast<U32>(kBytesMask)) != 0) return 0;
    if (isSpotOf(word, cell)) return word >> kMarkBits;
  }
  return 0;
}

inline void clearCells(const CellGroup &group, Cell first, U32 spot) {
  for (U32 at = kCells; at-- != 1;) storeRelaxed(group.cells[at], 0u);
  group.store(0, first, spot);
}

} // namespace deadheat::abi
