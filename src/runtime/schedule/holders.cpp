#include "runtime/schedule/holders.h"

namespace deadheat::runtime::schedule {

namespace {

U32 startOf(U64 object) { return static_cast<U32>(object * 0x9e3779b97f4a7c15 >> 52); }

} // namespace

void Holders::hold(Task &task, U64 object, bool shared) {
  Entry *free = nullptr;
  for (U32 probe = 0; probe != kProbes; ++probe) {
    Entry &entry = entries_[(startOf(object) + probe) % kEntries];
    if (entry.object == object) {
      free = &entry;
      break;
    }
    if (!free && entry.task == 0) free = &entry;
  }
  if (!free) return;
  if (free->object != object || free->task != task.number) ++task.holds;
  *free = {object, task.number, shared};
}

void Holders::letGo(Task *task, U64 object) {
  if (task && task->holds != 0) --task->holds;
  for (U32 probe = 0; probe != kProbes; ++probe) {
    Entry &entry = entries_[(startOf(object) + probe) % kEntries];
    if (entry.object != object || entry.task == 0) continue;
    if (!entry.shared && (!task || entry.task != task->number)) handsOver_ = true;
    entry.task = 0;
    return;
  }
}

U32 Holders::holderOf(U64 object) const {
  for (U32 probe = 0; probe != kProbes; ++probe) {
    const Entry &entry = entries_[(startOf(object) + probe) % kEntries];
    if (entry.object == object) return entry.task;
  }
  return 0;
}

// The one whose end or release `task` waits for.
U32 Holders::awaitedTask(const Task *tasks, U32 count, const Task &task) const {
  if (task.state != TaskState::Blocked || task.deadline != kNever) return 0;
  for (U32 index = 0; index != count; ++index)
    if (task.awaited == reinterpret_cast<U64>(&tasks[index])) return tasks[index].number;
  return holderOf(task.awaited);
}

bool Holders::findCycle(const Task *tasks, U32 count, const Task &self, bool (&inCycle)[abi::kMaxTasks]) const {
  if (handsOver_) return false;
  for (U32 index = 0; index != count; ++index) inCycle[index] = false;
  U32 next = self.number;
  for (U32 length = 0; length != count + 1; ++length) {
    inCycle[next - 1] = true;
    next = awaitedTask(tasks, count, tasks[next - 1]);
    if (next == 0) return false;
    if (next == self.number) return true;
  }
  return false;
}

} // namespace deadheat::runtime::schedule
