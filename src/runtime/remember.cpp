#include "runtime/remember.h"

#include "runtime/hooks.h"
#include "runtime/marks.h"
#include "runtime/shadow.h"

#define HOOK_CALL __attribute__((preserve_most))

namespace deadheat::runtime {
namespace {

using abi::Bool;
using abi::Ptr;
using abi::Void;

constexpr U64 kPlainWrite = abi::kPlain | abi::kWrites;

// By the byte of a slot and the place in eight bytes: what a cell must have to stand for such an access. One that was never
// executed, or crosses, wants what no first cell has, so that it is looked at more closely without a question of its own.
constexpr U64 kClosely = abi::kMore;

template <U64 deed> struct Deeds {
  abi::U16 rows[256][abi::kGranule];

  constexpr Deeds() : rows{} {
    for (U32 byte = 0; byte != 256; ++byte)
      for (U32 at = 0; at != abi::kGranule; ++at) {
        const U32 bytes = byte - abi::kSlotSeen;
        const bool whole = byte > abi::kSlotSeen && at + bytes <= abi::kGranule;
        rows[byte][at] = static_cast<abi::U16>(whole ? ((1u << bytes) - 1) << at | deed : kClosely);
      }
  }
};
template <U64 deed> constexpr Deeds<deed> kDeeds;

template <U64 deed> [[gnu::always_inline]] inline U64 deedOf(Ptr address, Ptr access) {
  return kDeeds<deed>.rows[*static_cast<const U8 *>(access)][reinterpret_cast<U64>(address) % abi::kGranule];
}

// What is not usual.
template <U64 deed> __attribute__((noinline)) Void rememberAnyhow(Ptr address, Ptr access) {
  Thread &self = thread;
  const U64 slot = reinterpret_cast<U64>(access);
  if (address == nullptr || isPruned(access)) return; // null: a lane that takes no part
  const bool seen = *static_cast<const U8 *>(access) & abi::kSlotSeen;
  const U64 bytes = slotBytes(slot);
  if (seen && standForRange(self, reinterpret_cast<U64>(address), bytes, deed)) return;
  if (!knowsAccess(self, slot)) return;
  const U64 frame = thisFrame();
  if (const U32 spot = spotOf(self, slot, frame); spot != 0)
    touchRange(self, reinterpret_cast<U64>(address), bytes, spot, deed, frame);
}

// What of `wanted` the cell does not have; the greatest number, if it does not stand for anything.
[[gnu::always_inline]] inline U32 missing(const Thread &self, U64 cell, U32 wanted) {
  const U64 above = cell - self.coverLow;
  const U32 bits = ~static_cast<U32>(above) & wanted;
  return above <= self.coverSpan ? bits : ~0u;
}

// Whether one of the near cells of these eight bytes stands for it alone.
[[gnu::always_inline]] inline bool oneStandsFor(const Thread &self, U64 address, U32 wanted) {
  const U64 *cells = nearCells(address);
  const U32 first = missing(self, abi::loadRelaxed(cells[0]), wanted);
  const U32 second = missing(self, abi::loadRelaxed(cells[1]), wanted);
  return (first < second ? first : second) == 0;
}

// One that crosses eight bytes, or is longer: vectors, and what is not aligned.
template <U64 deed> __attribute__((noinline)) Void rememberWide(Ptr address, Ptr access) {
  const Thread &self = thread;
  const U64 at = reinterpret_cast<U64>(address);
  const U32 bytes = *static_cast<const U8 *>(access) - abi::kSlotSeen, from = at % abi::kGranule;
  if (bytes - 1 < abi::kSlotLongest) {
    const U64 last = at + bytes - 1;
    const U32 begin = abi::kBytesMask << from & abi::kBytesMask, end = (2u << last % abi::kGranule) - 1;
    bool all = oneStandsFor(self, at, begin | deed) && oneStandsFor(self, last, end | deed);
    for (U64 middle = at - from + abi::kGranule; all && middle + abi::kGranule <= last; middle += abi::kGranule)
      all = oneStandsFor(self, middle, abi::kBytesMask | deed);
    if (all) return;
  }
  [[clang::musttail]] return rememberAnyhow<deed>(address, access);
}

// What the cells of eight bytes are to an access of the thread that leaves `cell`.
struct Look {
  U64 standing;   // bytes that fresh cells of the thread stand for
  U32 place;      // where it may be stored: in the place of what it stands for, where nothing is, or of an old read
  bool continues; // the cell there
  bool meets;     // what another thread did to the same bytes, or an annotation said: nothing here decides about that
};

// `end`: cells from there on are empty.
[[gnu::always_inline]] inline Look lookAt(const Thread &self, const CellGroup &cells, U64 cell, U32 end) {
  Look look{0, end, false, false};
  U32 free = end, oldRead = end;
#pragma unroll
  for (U32 at = 0; at != abi::kCells; ++at) {
    if (at >= end) break;
    const U64 old = cells.load(at);
    if (owns(self, old)) {
      if (standsFor(self, old, cell & (abi::kPlain | abi::kWrites))) look.standing |= old;
      if (abi::continues(cell, old)) {
        look.place = at;
        look.continues = true;
      } else if (abi::deedCovers(cell, old) && !look.continues) {
        look.place = at;
      } else if (!(old & abi::kWrites) && !standsFor(self, old, 0)) {
        oldRead = at;
      }
    } else if (abi::isHole(old)) {
      free = at;
      look.meets |= old == kExempt;
    } else {
      look.meets |= (old & cell & abi::kBytesMask) != 0;
    }
  }
  if (look.place == end) look.place = free != end || end != abi::kCells ? free : oldRead;
  return look;
}

// Where nothing of another thread is in the way. The cell goes near, where it is looked for first. False: nothing was done.
[[gnu::always_inline]] inline bool storeOwn(Thread &self, const CellGroup &cells, U64 cell) {
  const U32 end = cells.end();
  const Look look = lookAt(self, cells, cell, end);
  if ((~look.standing & cell & abi::kBytesMask) == 0) return true;
  if (look.meets || look.place == abi::kCells) return false;
  if (look.continues) cell |= cells.load(look.place) & abi::kBytesMask;
  if (look.place < kNearCells) {
    cells.store(look.place, cell);
    return true;
  }
  if (end == kNearCells) return false;
  const U64 first = cells.load(0);
  const U32 near = standsFor(self, first, 0) ? 1 : 0;
  cells.store(look.place, cells.load(near));
  cells.store(near, cell);
  return true;
}

// In eight bytes, of an access that was executed before. Most memory is one thread's, which comes back to it in another piece.
template <U64 deed> __attribute__((noinline)) Void rememberAgain(Ptr address, Ptr access) {
  Thread &self = thread;
  const U64 at = reinterpret_cast<U64>(address), slot = reinterpret_cast<U64>(access), frame = thisFrame();
  const bool ready = isCurrent(self) && self.accesses.has(slot) && self.memory && address != nullptr;
  const U32 spot = ready ? knownSpot(self, slot, frame) : 0;
  if (spot == 0 || isIgnored(self, deed)) [[clang::musttail]]
    return rememberAnyhow<deed>(address, access);
  const U64 cell = self.pieceLow | static_cast<U64>(spot) << abi::kSpotShift | deedOf<deed>(address, access);
  const CellGroup cells = cellsOf(at);
  const U64 first = abi::loadRelaxed(cells.near[0]);
  if (abi::loadRelaxed(cells.near[1]) == 0 && owns(self, first) && abi::deedCovers(cell, first)) {
    abi::storeRelaxed(cells.near[0], cell);
    return;
  }
  if (!storeOwn(self, cells, cell)) touchGranule(self, at & ~U64(abi::kGranule - 1), cell, frame);
}

// Neither of the near cells stands for it alone.
template <U64 deed> __attribute__((noinline)) Void rememberMore(Ptr address, Ptr access) {
  const U64 wanted = deedOf<deed>(address, access);
  if (wanted & kClosely) [[clang::musttail]]
    return rememberWide<deed>(address, access);
  if (nearStandFor(thread, reinterpret_cast<U64>(address), wanted)) return;
  [[clang::musttail]] return rememberAgain<deed>(address, access);
}

// Not preserve_most, as those who call it expect nothing (abi/table.h). A thread that is not known, or not any more, has no cell
// that stands for anything, so nothing else is looked at. One branch: which of the cells it is no processor can guess.
template <U64 deed> Void rememberAccess(Ptr address, Ptr access) {
  const U32 wanted = static_cast<U32>(deedOf<deed>(address, access));
  if (oneStandsFor(thread, reinterpret_cast<U64>(address), wanted)) [[likely]]
    return;
  [[clang::musttail]] return rememberMore<deed>(address, access);
}

decltype(abi::HookTable::read) likeHook(Void (*function)(Ptr, Ptr)) {
  return reinterpret_cast<decltype(abi::HookTable::read)>(reinterpret_cast<void *>(function));
}

template <U64 deed> HOOK_CALL Void rememberRange(Ptr address, U64 bytes, Ptr access) {
  Thread &self = thread;
  const U64 slot = reinterpret_cast<U64>(access);
  if (address == nullptr || bytes == 0 || isPruned(access) || !knowsAccess(self, slot)) return;
  const U64 frame = thisFrame();
  if (const U32 spot = spotOf(self, slot, frame); spot != 0)
    touchRange(self, reinterpret_cast<U64>(address), bytes, spot, deed, frame);
}

// Where all calls run told, a back edge has nothing to decide.
HOOK_CALL Bool stayTold(Ptr, Ptr) {
  const Thread &self = thread;
  return self.ring && !self.ended && !abi::loadRelaxed(context.arena->header.closed);
}

} // namespace

void fillRemembering(abi::HookTable &table) {
  table.loop = stayTold;
  table.read = likeHook(rememberAccess<abi::kPlain>);
  table.write = likeHook(rememberAccess<kPlainWrite>);
  table.read_range = rememberRange<abi::kPlain>;
  table.write_range = rememberRange<kPlainWrite>;
}

} // namespace deadheat::runtime
