// Probabilistic concurrency testing: each task has a random priority, the ready one with the highest runs, and at depth - 1
// random points the one that would run falls below all others. A bug of depth d shows with probability 1 / (n k^(d-1)) at
// least, for n tasks and k points; `expectedPoints` is k, taken from an earlier run.
#include "runtime/schedule/strategy.h"

namespace deadheat::runtime::schedule {

namespace {

constexpr U32 kHigh = 1u << 30;

Task *highest(Choice &choice) {
  Task *best = nullptr;
  bool bestWaits = false;
  for (Task *task : choice.ready) {
    const bool waits = letsOthersFirst(choice, *task);
    const bool better = !best || (bestWaits && !waits) || (bestWaits == waits && task->priority > best->priority);
    if (!better) continue;
    best = task;
    bestWaits = waits;
  }
  return best;
}

} // namespace

Task *choosePct(Choice &choice) {
  for (Task *task : choice.ready)
    if (task->priority == 0) task->priority = kHigh + choice.random.below(kHigh);
  Task *best = highest(choice);
  const U32 points = choice.control.expectedPoints > 0 ? choice.control.expectedPoints : 1000;
  const U32 changes = choice.control.depth > 1 ? choice.control.depth - 1 : 0;
  if (changes != 0 && choice.random.below(points) < changes) {
    // Later changes fall deeper.
    best->priority = kHigh - 1 - static_cast<U32>(choice.control.points % kHigh);
    best = highest(choice);
  }
  return best;
}

} // namespace deadheat::runtime::schedule
