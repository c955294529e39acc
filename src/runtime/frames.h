// The calls of a thread that run told, so that the reader can tell stacks.
//
// Claim   An event is preceded by an Enter for every told call that it lies in, unless that was told before. Calls that
//         tell nothing are not told.
// Assumes the stack grows down: a call whose return address lies at or below the hook's own has returned.
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
  if (self.depth < kMaxFrames) self.own->frames[self.depth++] = {slot, returns, function, 0};
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
