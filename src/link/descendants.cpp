#include "link/descendants.h"

#include <algorithm>

namespace deadheat::link {

std::vector<ThreadBits> belowEach(const Threads &threads) {
  std::vector<ThreadBits> below(threads.list.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t t = 0; t < below.size(); ++t)
      for (ThreadId creator : threads.list[ThreadId(t)].creators) {
        changed |= below[creator.value()].test_and_set(t);
        changed |= below[creator.value()] |= below[t];
      }
  }
  return below;
}

// All that it reaches but what others may start, too. What starts each other in a circle was begun by somebody outside. Of what is in
// turn nobody else starts one while this one lives.
static ThreadBits startedByOnly(const Threads &threads, ThreadId first, const ThreadBits &below) {
  ThreadBits inside = below;
  inside.reset(first.value());
  auto isOutside = [&](ThreadId creator) {
    const Thread &thread = threads.list[creator];
    const bool isStarted =
        thread.kind != ThreadKind::Spawned || !thread.creators.empty(); // else nobody executes its start
    return creator != first && !inside.test(creator.value()) && isStarted;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t t : ThreadBits(inside)) {
      const Thread &thread = threads.list[ThreadId(t)];
      if (thread.inTurn || (!thread.creators.empty() && std::ranges::none_of(thread.creators, isOutside))) continue;
      inside.reset(t);
      changed = true;
    }
  }
  return inside;
}

void findDescendants(Threads &threads, const std::vector<ThreadBits> &below) {
  const size_t count = threads.list.size();
  for (uint32_t first = 0; first < count; ++first)
    if (!threads.list[ThreadId(first)].many)
      for (uint32_t t : startedByOnly(threads, ThreadId(first), below[first]))
        threads.descendant[first * count + t] = true;
}

} // namespace deadheat::link
