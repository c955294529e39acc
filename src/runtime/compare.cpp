#include "runtime/compare.h"

#include "runtime/common_bursts.h"
#include "runtime/filter.h"
#include "runtime/hooks.h"
#include "runtime/meetings.h"

#define HOOK_CALL __attribute__((preserve_most))

namespace deadheat::runtime {
namespace {

using abi::Bool;
using abi::EventKind;
using abi::Ptr;
using abi::Sampler;
using abi::Void;

constexpr U32 kThreadLocal = abi::samplerBit(Sampler::ThreadAdaptive) | abi::samplerBit(Sampler::ThreadFixed);

U32 currentSamplers(Thread &self, U64 here) {
  dropFrames(self, here);
  return self.depth != 0 ? self.own->samplers[self.depth - 1] : 0;
}

void noteSamplers(Writer &writer, U32 samplers) {
  Thread &self = writer.self();
  if (samplers == self.toldSamplers) return;
  writer.event(EventKind::Samplers, samplers);
  self.toldSamplers = samplers;
}

void countCompared(Thread &self, U32 samplers) {
  if ((samplers & abi::samplerBit(Sampler::ThreadAdaptive)) != 0) addWork(self, 1);
  if ((samplers & abi::samplerBit(Sampler::ThreadFixed)) != 0) addFixedWork(self);
}

template <Edge edge> HOOK_CALL Bool askAll(Ptr function, Ptr returnSlot) {
  Thread &self = thread;
  U32 samplers = 0;
  if (!takeCompared(self, edge, reinterpret_cast<U64>(function), returnSlot, samplers)) return false;
  if (self.depth != 0) self.own->samplers[self.depth - 1] = static_cast<U8>(samplers);
  return true;
}

// What a told access adds, all samplers considered: nothing, if it was told since the last release with the same set.
bool wasTold(Thread &self, U64 word, U64 when) {
  const Remembered entry = remembered(*self.own, word, when);
  if (context.flags.filter && entry.wasTold()) return true;
  entry.note();
  return false;
}

// Those of `samplers` that tell this execution. One that they pass over is work all the same, and a lone one a part of it (common_bursts.h).
U32 tellingSamplers(Thread &self, U32 samplers, U64 slot, U64 here) {
  constexpr U32 kAdaptive = abi::samplerBit(Sampler::ThreadAdaptive);
  if ((samplers & kThreadLocal) == 0 || !passesOverAccesses()) return samplers;
  SampleState &state = siteState(self, slot, here);
  if ((samplers & kAdaptive) != 0 && leavesOutLone(self, state, self.accesses.idOf(slot))) {
    if (self.passedOver % kPassedPerWord == 0) addWork(self, 1);
    samplers &= ~kAdaptive;
  }
  if ((samplers & kThreadLocal) == 0 || takeSite(self, state)) return samplers;
  countCompared(self, samplers);
  return samplers & ~kThreadLocal;
}

void tell(U64 address, U64 slot, bool writes, U64 frame) {
  Thread &self = thread;
  const U32 id = self.accesses.idOf(slot);
  const U64 here = returnSlotOf(frame);
  const U32 samplers = tellingSamplers(self, currentSamplers(self, here), slot, here);
  ++self.ring->tallies[samplers];
  ++self.executed;
  const U64 word = abi::accessWord(address, id);
  if (wasTold(self, word, static_cast<U64>(self.clock) << 32 | samplers << abi::kWindowBits | id >> abi::kWindowBits))
    return;
  if ((samplers & abi::samplerBit(Sampler::ThreadAdaptive)) != 0) noteMeeting(self, address, id, writes);
  Writer writer(self, frame);
  if (!writer.hasRoom()) return;
  tellFrames(writer, here);
  tellWindow(writer, id);
  noteSamplers(writer, samplers);
  writer.put(word);
  countCompared(self, samplers);
}

template <bool writes> HOOK_CALL Void tellCompared(Ptr address, Ptr access) {
  const U64 slot = reinterpret_cast<U64>(access);
  if (address != nullptr && knowsAccess(thread, slot)) tell(reinterpret_cast<U64>(address), slot, writes, thisFrame());
}

template <bool writes> HOOK_CALL Void tellRangeCompared(Ptr address, U64 bytes, Ptr access) {
  Thread &self = thread;
  const U64 slot = reinterpret_cast<U64>(access);
  if (address == nullptr || bytes == 0 || !knowsAccess(self, slot)) return;
  const U64 frame = thisFrame();
  const U32 samplers = currentSamplers(self, returnSlotOf(frame));
  ++self.ring->tallies[samplers];
  Writer writer(self, frame);
  if (!writer.hasRoom()) return;
  tellFrames(writer, returnSlotOf(frame));
  noteSamplers(writer, samplers);
  if ((samplers & abi::samplerBit(Sampler::ThreadAdaptive)) != 0)
    noteMeetings(self, reinterpret_cast<U64>(address), bytes, writes);
  writer.event(EventKind::Range, self.accesses.idOf(slot), reinterpret_cast<U64>(address), bytes);
  countCompared(self, samplers);
}

} // namespace

void fillCompared(abi::HookTable &table) {
  if (context.flags.sampler != Sampler::Compare) return;
  table.enter = askAll<Edge::Call>;
  table.loop = askAll<Edge::Back>;
  table.read = tellCompared<false>;
  table.write = tellCompared<true>;
  table.read_range = tellRangeCompared<false>;
  table.write_range = tellRangeCompared<true>;
}

// In a run of its own a sampler tells a library call if any call that it lies in is told.
void tellSamplers(Writer &writer) {
  Thread &self = writer.self();
  U32 samplers = 0;
  for (U32 depth = 0; depth != self.depth; ++depth) samplers |= self.own->samplers[depth];
  noteSamplers(writer, samplers);
}

} // namespace deadheat::runtime
