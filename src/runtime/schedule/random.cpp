#include "runtime/schedule/strategy.h"

namespace deadheat::runtime::schedule {

// Any ready task, with equal chance, at every point: the scheduler that the paper compares with.
Task *chooseRandom(Choice &choice) {
  TaskList &eager = choice.scratch[0].clear();
  for (Task *task : choice.ready)
    if (!letsOthersFirst(choice, *task)) eager.add(task);
  TaskList &from = eager.count != 0 ? eager : choice.ready;
  return anyOf(choice, from);
}

} // namespace deadheat::runtime::schedule
