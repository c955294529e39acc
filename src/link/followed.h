// Of which threads the live sets of a thread say whether they live.
//
// Claim   Where isFollowed is true, `other` lives beside `thread` at a statement only if it is among those that are live there: `thread` starts all
//         its instances, or joins it and finds it at its entry.
// Cost    one search for each entry of the thread.
#pragma once

#include <algorithm>

#include "link/threads.h"

namespace deadheat::link {

inline bool isFollowed(const Threads &threads, ThreadId thread, ThreadId other) {
  auto isFoundAt = [&](FuncId entry) {
    return std::ranges::binary_search(threads.sets[threads.liveAtEntry[entry.value()]], other);
  };
  return threads.startedBy(other, thread) || std::ranges::all_of(threads.list[thread].entries, isFoundAt);
}

} // namespace deadheat::link
