#include "runtime/schedule/strategy.h"

namespace deadheat::runtime::schedule {

// Decisions are in order of their points.
U32 firstGiven(const abi::Control &control, U64 point) {
  U32 low = 0, high = control.givenCount;
  while (low != high) {
    const U32 middle = (low + high) / 2;
    if (control.given[middle].point < point)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

const abi::Decision *givenAt(const abi::Control &control, U64 point, abi::DecisionKind kind) {
  for (U32 index = firstGiven(control, point); index < control.givenCount; ++index) {
    if (control.given[index].point != point) break;
    if (control.given[index].kind == kind) return &control.given[index];
  }
  return nullptr;
}

Task *chooseReplay(Choice &choice) {
  const abi::Decision *decision = givenAt(choice.control, choice.control.points, abi::DecisionKind::Run);
  if (!decision) return usual(choice);
  for (Task *task : choice.ready)
    if (task->number == decision->task) return task;
  ++choice.control.strayed;
  return usual(choice);
}

} // namespace deadheat::runtime::schedule
