// Calls of library functions that read or write memory: which of them are told.
#pragma once

#include "runtime/interpose/interpose.h"
#include "runtime/sampler.h"

namespace deadheat::runtime {

inline constexpr U32 kLookAgain = 31; // calls that are passed over after one that lay in no told call

inline bool isToldCall(const Caller &caller) {
  if (!isAttached() || !tells(thread)) return false;
  if (context.flags.sampler == abi::Sampler::Full) return true;
  dropFrames(thread, returnSlotOf(caller.frame));
  if (thread.depth != 0) return takeCall(thread, caller.returns);
  callState(*thread.own, caller.returns).pause = kLookAgain;
  return false;
}

} // namespace deadheat::runtime
