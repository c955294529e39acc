// The calls of a thread that run told, so that the reader can tell stacks.
//
// Claim   An event is preceded by an Enter for every told call that it lies in, unless that was told before. Calls that
//         tell nothing are not told.
// Assumes the stack grows down: a call whose return address lies at or below the hook's own has returned.
//         What a signal handler's calls leave above `depth` in the midst of a push is dropped at the next hook.
// Misses  Calls deeper than kMaxFrames; after a change to a stack at higher addresses, the calls on the old one.
#pragma once

#include "runtime/writer.h"

namespace deadheat::runtime {

inline void dropFrames(Thread &self, U64 here) {
  while (self.depth != 0 && self.own->frames[self.depth - 1].slot <= here) --self.depth;
  if (self.toldDepth > self.depth) self.toldDepth = self.depth;
}

inline void pushFrame(Thread &self, U32 function, const void *returnSlot) {
  const U64 slot = reinterpret_cast<U64>(returnSlot);
  const U64 returns = *static_cast<const U64 *>(returnSlot);
  dropFrames(self, slot - 1);
  if (self.depth != 0) {
    const Frame &top = self.own->frames[self.depth - 1];
    if (top.slot == slot && top.function == function && top.returns == returns) return; // a back edge
    dropFrames(self, slot);
  }
  if (self.resolved > self.depth) self.resolved = self.depth;
  if (self.depth < kMaxFrames) self.own->frames[self.depth++] = {slot, returns, function, 0};
}

// Likewise, where accesses are remembered and contexts looked up: a call that comes again, from the same place, finds its frame as it
// was, with its context.
[[gnu::always_inline]] inline void pushFrameAgain(Thread &self, U32 function, const void *returnSlot) {
  const U64 slot = reinterpret_cast<U64>(returnSlot), returns = *static_cast<const U64 *>(returnSlot);
  Frame *const frames = self.own->frames;
  U32 depth = self.depth;
  while (depth != 0 && frames[depth - 1].slot <= slot) --depth;
  self.depth = depth;
  if (depth == kMaxFrames) return;
  Frame &frame = frames[depth];
  if (frame.slot != slot || frame.returns != returns || frame.function != function) {
    frame = {slot, returns, function, 0};
    if (self.resolved > depth) self.resolved = depth;
  }
  self.depth = depth + 1;
}

// The innermost call, if all that were made since then have been dropped and its context is known.
[[gnu::always_inline]] inline const Frame *settledFrame(const Thread &self, U64 here) {
  if (self.depth - 1 >= self.resolved) return nullptr;
  const Frame &top = self.own->frames[self.depth - 1];
  return top.slot > here ? &top : nullptr;
}

// Locks that are held and were not told (repeats.h).
SLOW_PATH void tellPutOff(Writer &writer);

// Where accesses are remembered (shadow.h), calling contexts have numbers.
void tellContext(Writer &writer, U64 here);

// What must come before an event that a thread tells. `here`: where the hook's or interposer's own return address lies.
inline void tellFrames(Writer &writer, U64 here) {
  Thread &self = writer.self();
  if (self.putOff != 0) [[unlikely]]
    tellPutOff(writer);
  ++self.news;
  if (self.memory) return tellContext(writer, here);
  dropFrames(self, here);
  for (; self.toldDepth != self.depth; ++self.toldDepth) {
    const Frame &frame = self.own->frames[self.toldDepth];
    writer.event(abi::EventKind::Enter, frame.function, frame.slot, frame.returns);
  }
}

inline U64 returnSlotOf(U64 frame) { return frame + sizeof(U64); }

} // namespace deadheat::runtime
