#include "runtime/remember.h"

#include "runtime/hooks.h"
#include "runtime/lanes.h"
#include "runtime/marks.h"
#include "runtime/sampler.h"

#define HOOK_CALL __attribute__((preserve_most))

namespace deadheat::runtime {
namespace {

using abi::Bool;
using abi::Ptr;
using abi::Void;

constexpr U64 kPlainWrite = abi::kPlain | abi::kWrites;

// By the byte of a slot and the place in eight bytes: what a cell must have to stand for such an access. One that was never
// executed, or crosses, wants what no cell has, so that it is looked at more closely without a question of its own.
constexpr abi::I32 kClosely = -1;

template <U64 deed> struct Deeds {
  Lanes rows[256][abi::kGranule];

  constexpr Deeds() : rows{} {
    for (U32 byte = 0; byte != 256; ++byte)
      for (U32 at = 0; at != abi::kGranule; ++at) {
        const U32 bytes = byte >= abi::kSlotSeen ? abi::slotLength(byte) : 0;
        const bool whole = bytes != 0 && at + bytes <= abi::kGranule;
        for (abi::I32 &lane : rows[byte][at].lanes)
          lane = whole ? static_cast<abi::I32>(((1u << bytes) - 1) << at | deed) : kClosely;
      }
  }
};
template <U64 deed> constexpr Deeds<deed> kDeeds;

template <U64 deed> [[gnu::always_inline]] inline const Lanes &deedLanes(Ptr address, Ptr access) {
  return kDeeds<deed>.rows[*static_cast<const U8 *>(access)][reinterpret_cast<U64>(address) % abi::kGranule];
}
template <U64 deed> [[gnu::always_inline]] inline abi::I32 deedOf(Ptr address, Ptr access) {
  return deedLanes<deed>(address, access).lanes[0];
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
  const U64 more = abi::slotReadsToo(*static_cast<const U8 *>(access)) ? kReadsToo : 0;
  if (const U32 spot = spotOf(self, slot, frame); spot != 0)
    touchRange(self, reinterpret_cast<U64>(address), bytes, spot, deed | more, frame);
}

// One that crosses eight bytes, or is longer: vectors, and what is not aligned.
template <U64 deed> WITH_LANES __attribute__((noinline)) Void rememberWide(Ptr address, Ptr access) {
  const Thread &self = thread;
  const U64 at = reinterpret_cast<U64>(address);
  const U32 byte = *static_cast<const U8 *>(access), from = at % abi::kGranule;
  if (const U32 bytes = abi::slotLength(byte); byte >= abi::kSlotSeen && bytes != 0) {
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

[[gnu::always_inline]] inline bool isReady(const Thread &self, U64 slot, U64 deed) {
  return isCurrent(self) && self.accesses.has(slot) && self.memory && !isIgnored(self, deed);
}

template <U64 deed> [[gnu::always_inline]] inline bool readsBytes(Ptr access) {
  return deed == abi::kPlain || abi::slotReadsToo(*static_cast<const U8 *>(access));
}

// Calls have returned or begun since.
template <U64 deed> WITH_LANES __attribute__((noinline)) Void rememberMore(Ptr address, Ptr access) {
  Thread &self = thread;
  const U64 at = reinterpret_cast<U64>(address), slot = reinterpret_cast<U64>(access), frame = thisFrame();
  const U32 spot = address != nullptr && isReady(self, slot, deed) ? knownSpot(self, slot, frame) : 0;
  if (spot == 0) [[clang::musttail]]
    return rememberAnyhow<deed>(address, access);
  const Cell cell = self.pieceCell | static_cast<U32>(deedOf<deed>(address, access));
  if (!storeSame(self, at, cell, spot)) touchGranule(self, at, cell, spot, frame, readsBytes<deed>(access));
}

// None of the cells stands for it alone. No loops here, and no calls but the last, so that no registers are saved.
template <U64 deed> WITH_LANES __attribute__((noinline)) Void rememberAgain(Ptr address, Ptr access) {
  Thread &self = thread;
  const abi::I32 wanted = deedOf<deed>(address, access);
  if (wanted == kClosely) [[clang::musttail]]
    return rememberWide<deed>(address, access);
  const U64 slot = reinterpret_cast<U64>(access);
  const U64 frame = thisFrame();
  const Frame *call = settledFrame(self, returnSlotOf(frame));
  const bool ready = address != nullptr && call && !self.pieceEnded && isReady(self, slot, deed);
  const U32 spot = ready ? toldSpot(*self.memory, call->context, self.accesses.idOf(slot)) : 0;
  if (spot == 0) [[clang::musttail]]
    return rememberMore<deed>(address, access);
  const Cell cell = self.pieceCell | static_cast<U32>(wanted);
  const U64 at = reinterpret_cast<U64>(address);
  if (!storeSame(self, at, cell, spot)) touchGranule(self, at, cell, spot, frame, readsBytes<deed>(access));
}

// A thread that is not known, or not any more, has no cell that stands for anything, so nothing else is looked at.
template <U64 deed> WITH_LANES Void rememberAccess(Ptr address, Ptr access) {
  if (oneStandsFor(thread, reinterpret_cast<U64>(address), vectorOf(deedLanes<deed>(address, access)))) [[likely]]
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

SLOW_PATH Bool enterAnyhow(Ptr function, Ptr returnSlot) {
  return samplerHooks(abi::Sampler::Full).enter(function, returnSlot);
}

// Where all calls run told, an entry has nothing to decide either, as long as there is somebody to tell.
HOOK_CALL Bool enterTold(Ptr function, Ptr returnSlot) {
  Thread &self = thread;
  const U64 slot = reinterpret_cast<U64>(function);
  const bool ready =
      isCurrent(self) && self.functions.has(slot) && self.memory && !abi::loadRelaxed(context.arena->header.closed);
  if (!ready) [[unlikely]] {
    [[clang::musttail]] return enterAnyhow(function, returnSlot);
  }
  pushFrameAgain(self, self.functions.idOf(slot), returnSlot);
  return true;
}

// Where all calls run told, a back edge has nothing to decide.
HOOK_CALL Bool stayTold(Ptr, Ptr) {
  const Thread &self = thread;
  return self.ring && !self.ended && !abi::loadRelaxed(context.arena->header.closed);
}

} // namespace

void fillRemembering(abi::HookTable &table) {
  table.enter = enterTold;
  table.loop = stayTold;
  table.read = likeHook(rememberAccess<abi::kPlain>);
  table.write = likeHook(rememberAccess<kPlainWrite>);
  table.read_range = rememberRange<abi::kPlain>;
  table.write_range = rememberRange<kPlainWrite>;
}

} // namespace deadheat::runtime
