// The four cells of eight bytes: what the shadow remembers of them, and what a new access changes. No state but the cells, so
// that a test may play any history on them.
//
// Claim   An access that conflicts with a remembered one of another thread is handed to `meets`, unless `known` says that the
//         other is before it. Of one thread the cells keep the newest accesses that stand for all older ones.
// Assumes a cell is stored and loaded whole. Of two threads that take a free cell in the same instant one gets it, and the other
//         looks again. Where no near cell is free, each may still miss the other, or take its place; what they do next shows them.
// Differs FastTrack keeps a vector of readers. Here four accesses are kept; where there are more, reads make room first.
// Cost    Two loads and a store for what one thread uses, which needs two cells at most: the other two lie apart, so that only
//         shared memory has them in the cache. The second cell says whether they are used.
#pragma once

#include "abi/ring.h"
#include "abi/shadow.h"

namespace deadheat::abi {

// A cell without bytes may be filled.
inline bool isHole(U64 cell) { return (cell & kBytesMask) == 0; }

// Who makes an access: the cell that it leaves, if nothing is there, and which cells are the thread's own.
struct Toucher {
  U64 cell;
  U32 firstPiece; // of those that the owner's present thread began
  U32 freshPiece; // from this one on, cells stand for what the thread does now

  bool owns(U64 other) const { return cellOwner(other) == cellOwner(cell) && cellPiece(other) >= firstPiece; }
  bool isFresh(U64 other) const { return owns(other) && cellPiece(other) >= freshPiece && !isHole(other); }
};

// An access of the same spot and piece, to other bytes: a loop over bytes needs one cell for eight of them.
inline bool continues(U64 now, U64 old) { return ((now ^ old) & ~kBytesMask) == 0; }

// What conflicts with the old one in some byte conflicts with the new one there, too, if that has the byte.
inline bool kindCovers(U64 now, U64 old) { return (old & ~now & (kPlain | kWrites)) == 0; }

inline constexpr U32 kNearCells = 2;
static_assert(kCells == 2 * kNearCells);

// Where the cells of eight bytes lie: two together, and two at a distance that is the same for all.
struct CellGroup {
  U64 *near;
  U64 distance; // in cells

  U64 &operator[](U32 at) const { return at < kNearCells ? near[at] : near[at - kNearCells + distance]; }
  U64 load(U32 at) const { return loadRelaxed((*this)[at]) & ~kMore; }
  bool hasMore() const { return loadRelaxed(near[kNearCells - 1]) & kMore; }
  U32 end() const { return hasMore() ? kCells : kNearCells; } // cells from here on are empty

  void store(U32 at, U64 cell) const {
    storeRelaxed((*this)[at], cell | (at == kNearCells - 1 && hasMore() ? kMore : 0));
  }
  // False: another thread was there first, or is now.
  bool take(U32 at, U64 cell) const {
    U64 was = loadRelaxed((*this)[at]);
    return isHole(was) && __atomic_compare_exchange_n(&(*this)[at], &was, cell | (was & kMore), false, __ATOMIC_ACQ_REL,
                                                      __ATOMIC_RELAXED);
  }
  void startMore() const {
    if (hasMore()) return;
    for (U32 at = kNearCells; at != kCells; ++at) storeRelaxed((*this)[at], U64(0));
    storeRelaxed(near[kNearCells - 1], loadRelaxed(near[kNearCells - 1]) | kMore);
  }
};

// The cell that makes room where all four are taken: a read rather than a write, by turns.
inline U32 victimOf(const CellGroup &cells, U32 turn) {
  for (U32 step = 0; step != kCells; ++step)
    if (const U32 at = (turn + step) % kCells; !(cells.load(at) & kWrites)) return at;
  return turn % kCells;
}

// The cell that is changed by an access, and what the access becomes by it.
struct Change {
  U64 cell;          // to be stored
  U32 place;         // where
  bool free = false; // nobody has the place
};

// `known(cell)`: that access of another thread is before this one. `meets(cell)`: it conflicts, and may not be.
template <typename Known, typename Meets>
[[gnu::always_inline]] inline Change lookAtCells(const CellGroup &cells, const Toucher &by, Known known, Meets meets) {
  Change change{by.cell, kCells};
  bool merged = false;
  const U32 end = cells.end();
  for (U32 at = 0; at != end; ++at) {
    const U64 old = cells.load(at);
    U64 rest = old & kBytesMask;
    if (rest != 0) {
      const bool own = by.owns(old);
      if (own && continues(by.cell, old)) {
        change = {by.cell | old, at};
        merged = true;
        continue;
      }
      const bool before = own || known(old);
      if (before && kindCovers(by.cell, old)) rest &= ~by.cell;
      if (!before && deedsConflict(by.cell, old)) meets(old);
      if (rest != (old & kBytesMask)) cells.store(at, (old & ~kBytesMask) | rest);
    }
    if (rest == 0 && !merged && change.place == kCells) change = {by.cell, at, true};
  }
  if (change.place == kCells) change.place = end;
  return change;
}

// Where a cell goes for which there is no free one near.
inline void makeRoom(const CellGroup &cells, const Toucher &by, Change change, U32 turn) {
  U32 place = change.place == kCells ? victimOf(cells, turn) : change.place;
  if (place >= kNearCells) cells.startMore();
  // What the thread uses now is looked for near first.
  for (U32 at = 0; at != kNearCells && place >= kNearCells; ++at)
    if (const U64 old = cells.load(at); !by.isFresh(old)) {
      cells.store(place, old);
      place = at;
    }
  cells.store(place, change.cell);
}

inline constexpr U32 kTries = 4; // for a free cell: as many others may come first

template <typename Known, typename Meets>
[[gnu::always_inline]] inline void touchCells(const CellGroup &cells, const Toucher &by, U32 turn, Known known,
                                              Meets meets) {
  Change change{};
  for (U32 tries = 0; tries != kTries; ++tries) {
    change = lookAtCells(cells, by, known, meets);
    if (!change.free || change.place >= kNearCells) break;
    if (cells.take(change.place, change.cell)) return;
  }
  makeRoom(cells, by, change, turn);
}

inline void clearCells(const CellGroup &cells, U64 first) {
  storeRelaxed(cells[0], first);
  storeRelaxed(cells[1], U64(0));
}

} // namespace deadheat::abi
