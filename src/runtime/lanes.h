// Four cells at once: what of them stands for an access, and where it is stored in memory that only its thread uses.
//
// Claim   storeAlone stores what abi/cells.h would, or nothing. It takes another place for what stands for the access together, and by
//         which of several reads makes room.
// Assumes C functions: these registers are not kept for who calls a hook otherwise (abi/table.h).
#pragma once

#include "runtime/shadow.h"

#define WITH_LANES __attribute__((target("sse2")))

namespace deadheat::runtime {

using Vector = abi::I32 __attribute__((vector_size(16), may_alias));
using Unsigned = U32 __attribute__((vector_size(16)));
using Floats = float __attribute__((vector_size(16)));

inline constexpr abi::I32 kKindBits = abi::kPlain | abi::kWrites;
inline constexpr U32 kAllCells = (1 << abi::kCells) - 1;

[[gnu::always_inline]] WITH_LANES inline Vector cellsAt(U64 address) {
  return *reinterpret_cast<const Vector *>(cellsOf(address).cells);
}
[[gnu::always_inline]] WITH_LANES inline Vector vectorOf(const Lanes &lanes) {
  return *reinterpret_cast<const Vector *>(&lanes);
}
[[gnu::always_inline]] WITH_LANES inline Vector isOutside(Vector cells, const Lanes &low, const Lanes &span) {
  return cells - vectorOf(low) > vectorOf(span);
}
// A bit for each cell of which it is true.
[[gnu::always_inline]] WITH_LANES inline U32 bitsOf(Vector truth) {
  return static_cast<U32>(__builtin_ia32_movmskps(reinterpret_cast<Floats>(truth)));
}

// Whether one of the cells of these eight bytes stands for it alone.
[[gnu::always_inline]] WITH_LANES inline bool oneStandsFor(const Thread &self, U64 address, Vector wanted) {
  const Vector cells = cellsAt(address);
  return bitsOf((isOutside(cells, self.coverLow, self.coverSpan) | (~cells & wanted)) == Vector{}) != 0;
}
[[gnu::always_inline]] WITH_LANES inline bool oneStandsFor(const Thread &self, U64 address, abi::I32 wanted) {
  return oneStandsFor(self, address, Vector{} + wanted);
}

// Those that are the thread's own, as far as they lie together.
[[gnu::always_inline]] WITH_LANES inline U32 ownBits(const Thread &self, Vector cells) {
  return ~bitsOf(isOutside(cells, self.ownLow, self.ownSpan)) & kAllCells;
}

// Those that say something.
[[gnu::always_inline]] WITH_LANES inline U32 usedBits(Vector cells) {
  return bitsOf((cells & static_cast<abi::I32>(abi::kBytesMask)) != Vector{});
}

// Those that conflict with an access.
[[gnu::always_inline]] WITH_LANES inline U32 conflicting(Vector cells, Cell cell) {
  const abi::I32 now = static_cast<abi::I32>(cell);
  const Vector both = cells | now, common = cells & now & static_cast<abi::I32>(abi::kBytesMask);
  return bitsOf((common != Vector{}) & ((both & kKindBits) == kKindBits));
}

// Whether only the thread has cells of these eight bytes.
[[gnu::always_inline]] WITH_LANES inline bool isAlone(const Thread &self, Vector cells) {
  return bitsOf(isOutside(cells, self.ownLow, self.ownSpan) & (cells != Vector{})) == 0;
}
[[gnu::always_inline]] WITH_LANES inline bool isAlone(const Thread &self, U64 address) {
  return isAlone(self, cellsAt(address));
}

// What the cells of eight bytes are to an access of the thread whose own they all are; a bit for each.
struct OwnCells {
  U32 used;
  U32 covered;   // by the access
  U32 continued; // perhaps: of the same piece and kind
  U32 cut;       // kinds that are covered, with bytes that are, among others
};

[[gnu::always_inline]] WITH_LANES inline OwnCells lookAtOwn(Vector cells, Cell cell) {
  const abi::I32 now = static_cast<abi::I32>(cell);
  const Vector more = cells & ~now, overlap = cells & now & static_cast<abi::I32>(abi::kBytesMask);
  const U32 used = bitsOf(cells != Vector{});
  const U32 covered = bitsOf(more << (32 - abi::kDeedBits) == Vector{}) & used;
  const U32 continued = bitsOf((cells ^ now) >> 8 == Vector{});
  const U32 cut = bitsOf(((more & kKindBits) == Vector{}) & (overlap != Vector{})) & ~covered;
  return {used, covered, continued, cut};
}

inline void cutBytes(const CellGroup &group, U32 cut, Cell cell) {
  for (; cut != 0; cut &= cut - 1) {
    Cell &old = group.cells[__builtin_ctz(cut)];
    abi::storeRelaxed(old, abi::loadRelaxed(old) & ~abi::bytesOf(cell));
  }
}

// Whether cells of the thread stand for it together.
[[gnu::always_inline]] WITH_LANES inline bool standTogether(const Thread &self, Vector cells, Cell cell) {
  const Vector others = isOutside(cells, self.coverLow, self.coverSpan) |
                        ((~cells & static_cast<abi::I32>(cell) & kKindBits) != Vector{});
  Vector bytes = cells & ~others;
  bytes |= __builtin_shufflevector(bytes, bytes, 2, 3, 0, 1);
  bytes |= __builtin_shufflevector(bytes, bytes, 1, 0, 3, 2);
  return (abi::bytesOf(cell) & ~static_cast<U32>(bytes[0])) == 0;
}

// Of four that are the thread's own: a read that stands for nothing now, or a read, or any, by turns.
[[gnu::always_inline]] WITH_LANES inline U32 ownVictim(Thread &self, Vector cells) {
  const U32 turn = self.memory->turn++ % abi::kCells;
  const U32 reads = ~bitsOf(cells << (31 - 9)) & kAllCells,
            old = bitsOf(isOutside(cells, self.coverLow, self.coverSpan));
  const U32 among = (reads & old) != 0 ? reads & old : reads != 0 ? reads : kAllCells;
  return (static_cast<U32>(__builtin_ctz((among | among << abi::kCells) >> turn)) + turn) % abi::kCells;
}

// Where the thread did the same before. False: nothing was done.
[[gnu::always_inline]] WITH_LANES inline bool storeSame(const Thread &self, U64 address, Cell cell, U32 spot) {
  const Vector cells = cellsAt(address);
  const U32 same = bitsOf((cells ^ static_cast<abi::I32>(cell)) << (32 - abi::kDeedBits) == Vector{});
  if (same == 0 || !isAlone(self, cells)) return false;
  cellsOf(address).store(static_cast<U32>(__builtin_ctz(same)), cell, spot);
  return true;
}

// The cells of the same spot, of those that are of the same piece and kind: a loop over bytes needs one cell for eight of them.
[[gnu::always_inline]] WITH_LANES inline U32 sameSpots(const CellGroup &group, U32 among, Cell cell, U32 spot) {
  const Vector spots = *reinterpret_cast<const Vector *>(group.spots);
  return bitsOf(spots == static_cast<abi::I32>(abi::spotWord(cell, spot))) & among;
}

// False: nothing was done, as there are cells of others, or of long ago.
[[gnu::always_inline]] WITH_LANES inline bool storeAlone(Thread &self, U64 address, Cell cell, U32 spot) {
  const CellGroup group = cellsOf(address);
  const Vector cells = cellsAt(address);
  const OwnCells own = lookAtOwn(cells, cell);
  if (!isAlone(self, cells)) return false;
  if (const U32 same = sameSpots(group, own.continued, cell, spot); same != 0) {
    const U32 at = static_cast<U32>(__builtin_ctz(same));
    group.store(at, cell | abi::bytesOf(group.load(at)), spot);
    if (own.covered & ~(1u << at)) abi::storeRelaxed(group.cells[__builtin_ctz(own.covered & ~(1u << at))], 0u);
  } else if (own.covered != 0) {
    group.store(static_cast<U32>(__builtin_ctz(own.covered)), cell, spot);
  } else if (own.used == kAllCells) {
    if (standTogether(self, cells, cell)) return true;
    group.store(ownVictim(self, cells), cell, spot);
  } else {
    const U32 hole = 31 - static_cast<U32>(__builtin_clz(~own.used & kAllCells));
    if (!group.exchange(hole, 0, cell)) return false;
    abi::storeRelaxed(group.spots[hole], abi::spotWord(cell, spot));
  }
  if (own.cut != 0) cutBytes(group, own.cut, cell);
  return true;
}

} // namespace deadheat::runtime
