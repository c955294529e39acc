// Where the events of a run go: to a detector while the program runs, to a file, or to both.
//
// Claim   Calls come from one thread. The words of one thread of a process come in the order in which it wrote them, in
//         chunks of whole events (abi/event.h); a word 0 between events is padding. Threads come in any order: stamps
//         tell the order between them, so an implementation must take what it cannot use yet and put it aside.
#pragma once

#include <cstdint>
#include <span>

#include "support/id.h"

namespace deadheat::trace {

using ProcessNumber = Id<struct ProcessTag>; // in the order in which processes attached, never used twice
using ThreadNumber = Id<struct ThreadTag>;   // within a process, from 1, never used twice

class EventSink {
public:
  virtual ~EventSink() = default;

  virtual void words(ProcessNumber process, ThreadNumber thread, std::span<const uint64_t> words) = 0;

  // The thread has gone and all of its words were handed over, whether it told its End or was killed.
  virtual void ended(ProcessNumber process, ThreadNumber thread) = 0;
};

} // namespace deadheat::trace
