// Contexts of calls and spots of accesses (shadow.h): what must be told before a cell may have it.
#include "runtime/shadow.h"

namespace deadheat::runtime {
namespace {

using abi::EventKind;

constexpr U32 kMostContexts = 1 << 20;                          // of a thread
constexpr U32 kMostWindows = abi::kMostSpots / kSpotWindow - 1; // likewise
constexpr U32 kWindowsInContext = kMostWindows / 2;             // beyond, spots have no context

U32 numberContext(Writer &writer, const Frame &frame, U32 outer) {
  bool isNew = false;
  const NumberKey key{frame.returns, static_cast<U64>(outer) << 32 | frame.function};
  const U32 found = writer.self().memory->contexts.find(key, kMostContexts, isNew);
  if (isNew) writer.event(EventKind::Context, found, outer, frame.function, frame.returns);
  return found != 0 ? found : outer;
}

void resolveContexts(Writer &writer) {
  Thread &self = writer.self();
  while (!resolveKnown(self)) {
    const Frame &frame = self.own->frames[self.resolved];
    const U32 outer = outerContext(self);
    contextEntry(*self.memory, frame, outer) = {frame.returns, frame.function, outer,
                                                numberContext(writer, frame, outer)};
  }
}

// The first spot of the window that `what` lies in. 0: there are no more.
U32 firstOfWindow(Memory &memory, U64 what, U32 where) {
  bool isNew = false;
  return memory.windows.find({what / kSpotWindow, where}, kMostWindows, isNew) * kSpotWindow;
}

void tellSpot(Writer &writer, U32 spot, U64 what, U32 where) {
  Thread &self = writer.self();
  U8 &told = self.memory->toldSpots[spot / kSpotWindow];
  if (told >> spot % kSpotWindow & 1) return;
  told |= static_cast<U8>(1 << spot % kSpotWindow);
  writer.event(EventKind::Spot, spot, what, where);
  self.pieceEnded = true; // so that whoever knows the piece knows the spot
}

U32 spotInContext(Writer &writer, U64 what) {
  Memory &memory = *writer.self().memory;
  if (!(what & abi::kSpotIsCall))
    if (const U32 spot = toldSpot(memory, contextOf(writer.self()), static_cast<U32>(what)); spot != 0) return spot;
  const U32 where = memory.windows.count() < kWindowsInContext ? contextOf(writer.self()) : 0;
  const U32 first = firstOfWindow(memory, what, where);
  if (first == 0) return 0;
  const U32 spot = first + static_cast<U32>(what % kSpotWindow);
  tellSpot(writer, spot, what, where);
  if (!(what & abi::kSpotIsCall)) {
    const U32 window = static_cast<U32>(what) / kSpotWindow, in = contextOf(writer.self());
    spotEntry(memory, spotKey(in, window)) = {spotKey(in, window), first, memory.toldSpots[first / kSpotWindow]};
  }
  return spot;
}

// 0: not while another event is being written, or there is nobody to tell.
U32 settle(Thread &self, U64 what, U64 frame) {
  Writer writer(self, frame);
  if (writer.nested() || !writer.hasRoom()) return 0;
  dropFrames(self, returnSlotOf(frame));
  resolveContexts(writer);
  const U32 spot = spotInContext(writer, what);
  return spot == 0 || (self.pieceEnded && !beginPiece(writer)) ? 0 : spot;
}

// Once per process: who looks whether an access was ever executed need not look at all threads.
void tellSeen(Thread &self, U64 slot, U64 frame) {
  U8 &byte = *reinterpret_cast<U8 *>(slot);
  if (byte & abi::kSlotSeen) return;
  Writer writer(self, frame);
  if (writer.nested() || !writer.hasRoom()) return;
  byte |= abi::kSlotSeen;
  writer.event(EventKind::Seen, self.accesses.idOf(slot));
}

SLOW_PATH U32 settleAccess(Thread &self, U64 slot, U64 frame) {
  tellSeen(self, slot, frame);
  return settle(self, self.accesses.idOf(slot), frame);
}

} // namespace

U32 spotOf(Thread &self, U64 slot, U64 frame) {
  const bool seen = *reinterpret_cast<const U8 *>(slot) & abi::kSlotSeen;
  const U32 spot = seen ? knownSpot(self, slot, frame) : 0;
  return spot != 0 ? spot : settleAccess(self, slot, frame);
}

U32 spotOfCall(Thread &self, U64 what, U64 frame) { return settle(self, what, frame); }

void tellContext(Writer &writer, U64 here) {
  Thread &self = writer.self();
  dropFrames(self, here);
  resolveContexts(writer);
  if (contextOf(self) == self.memory->at) return;
  self.memory->at = contextOf(self);
  writer.event(EventKind::At, self.memory->at);
}

} // namespace deadheat::runtime
