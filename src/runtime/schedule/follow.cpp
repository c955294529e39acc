// Follows a list of decisions by whose turn it was and how far that task had come, not by the number of the point: decisions left out
// of the list then do not move the others. What it does is recorded as usual, by points. For the minimiser.
#include "runtime/schedule/strategy.h"

namespace deadheat::runtime::schedule {

namespace {

// The given decisions of each task, in order: as lists of indices plus one.
constinit U32 firstOf[abi::kMaxTasks + 1] = {};
constinit U32 nextOf[abi::kMaxDecisions] = {};
constinit const abi::Control *listed = nullptr;

void list(const abi::Control &control) {
  if (listed == &control) return;
  listed = &control;
  for (U32 &first : firstOf) first = 0;
  for (U32 index = control.givenCount; index-- != 0;) {
    const U32 from = control.given[index].from;
    if (from > abi::kMaxTasks) continue;
    nextOf[index] = firstOf[from];
    firstOf[from] = index + 1;
  }
}

} // namespace

const abi::Decision *ownGiven(const abi::Control &control, const Task &last, abi::DecisionKind kind) {
  list(control);
  // What the task has left behind is not looked at again.
  U32 &first = firstOf[last.number];
  while (first != 0 && control.given[first - 1].ownPoint < last.points) first = nextOf[first - 1];
  for (U32 entry = first; entry != 0 && control.given[entry - 1].ownPoint == last.points; entry = nextOf[entry - 1])
    if (control.given[entry - 1].kind == kind) return &control.given[entry - 1];
  return nullptr;
}

Task *chooseFollow(Choice &choice) {
  const abi::Decision *decision = ownGiven(choice.control, *choice.current, abi::DecisionKind::Run);
  for (Task *task : choice.ready)
    if (decision && task->number == decision->task) return task;
  return usual(choice);
}

} // namespace deadheat::runtime::schedule
