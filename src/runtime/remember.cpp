#include "runtime/remember.h"

#include "runtime/hooks.h"
#include "runtime/lanes.h"
#include "runtime/marks.h"

#define HOOK_CALL __attribute__((preserve_most))

namespace deadheat::runtime {
namespace {

using abi::Bool;
using abi::Ptr;
using abi::Void;

constexpr U64 kPlainWrite = abi::kPlain | abi::kWrites;

// By the byte of a slot and the place in eight bytes: what a cell must have to stand for such an access. One that was never
// executed, or crosses, wants what no cell has, so that it is looked at more closely without a question of its own.
constexpr short kClosely = -1;

template <U64 deed> struct Deeds {
  short rows[256][abi::kGranule];

  constexpr Deeds() : rows{} {
    for (U32 byte = 0; byte != 256; ++byte)
      for (U32 at = 0; at != abi::kGranule; ++at) {
        const U32 bytes = byte - abi::kSlotSeen;
        const bool whole = byte > abi::kSlotSeen && at + bytes <= abi::kGranule;
        rows[byte][at] = static_cast<short>(whole ? ((1u << bytes) - 1) << at | deed : kClosely);
      }
  }
};
template <U64 deed> constexpr Deeds<deed> kDeeds;

template <U64 deed> [[gnu::always_inline]] inline abi::I32 deedOf(Ptr address, Ptr access) {
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

// One that crosses eight bytes, or is longer: vectors, and what is not aligned.
template <U64 deed> WITH_LANES __attribute__((noinline)) Void rememberWide(Ptr address, Ptr access) {
  const Thread &self = thread;
  const U64 at = reinterpret_cast<U64>(address);
  const U32 bytes = *static_cast<const U8 *>(access) - abi::kSlotSeen, from = at % abi::kGranule;
  if (bytes - 1 < abi::kSlotLongest) {
    const U64 last = at + bytes - 1;
    const U32 begin = abi::kBytesMask << from & abi::kBytesMask, end = (2u << last % abi::kGranule) - 1;
    bool all = oneStandsFor(self, at, static_cast<abi::I32>(begin | deed)) &&
               oneStandsFor(self, last, static_cast<abi::I32>(end | deed));
    for (U64 middle = at - from + abi::kGranule; all && middle + abi::kGranule <= last; middle += abi::kGranule)
      all = oneStandsFor(self, middle, static_cast<abi::I32>(abi::kBytesMask | deed));
    if (all) return;
  }
  [[clang::musttail]] return rememberAnyhow<deed>(address, access);
}

template <U64 deed> __attribute__((noinline)) Void rememberMore(Ptr address, Ptr access) {
  Thread &self = thread;
  const U64 at = reinterpret_cast<U64>(address), frame = thisFrame();
  const U32 spot = self.memory && address != nullptr ? knownSpot(self, reinterpret_cast<U64>(access), frame) : 0;
  if (spot == 0 || isIgnored(self, deed)) [[clang::musttail]]
    return rememberAnyhow<deed>(address, access);
  const Cell cell = self.pieceCell | static_cast<U32>(deedOf<deed>(address, access));
  touchGranule(self, at & ~U64(abi::kGranule - 1), cell, spot, frame);
}

// None of the cells stands for it alone.
template <U64 deed> WITH_LANES __attribute__((noinline)) Void rememberAgain(Ptr address, Ptr access) {
  Thread &self = thread;
  const abi::I32 wanted = deedOf<deed>(address, access);
  if (wanted == kClosely) [[clang::musttail]]
    return rememberWide<deed>(address, access);
  const U64 slot = reinterpret_cast<U64>(access);
  const bool ready = isCurrent(self) && self.accesses.has(slot) && self.memory && !isIgnored(self, deed);
  if (!ready) [[clang::musttail]]
    return rememberAnyhow<deed>(address, access);
  const U32 spot = knownSpot(self, slot, thisFrame());
  const Cell cell = self.pieceCell | static_cast<U32>(wanted);
  if (spot == 0 || !storeSame(self, reinterpret_cast<U64>(address), cell, spot)) [[clang::musttail]]
    return rememberMore<deed>(address, access);
}

// A thread that is not known, or not any more, has no cell that stands for anything, so nothing else is looked at.
template <U64 deed> WITH_LANES Void rememberAccess(Ptr address, Ptr access) {
  if (oneStandsFor(thread, reinterpret_cast<U64>(address), deedOf<deed>(address, access))) [[likely]]
    return;
  [[clang::musttail]] return rememberAgain<deed>(address, access);
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
