// Who holds which lock, and from that, who waits for whom.
//
// Claim   A circle that `findCycle` returns cannot open again: each of its tasks waits, without a deadline, for a lock that the next
//         one holds, or for the end of the next one.
// Assumes a lock is released by who holds it. The first release by another task is noted, and no circle is reported from then on.
// Misses  Several readers of one lock: the last one is known alone. More than a few thousand locks held at once.
#pragma once

#include "runtime/schedule/task.h"

namespace deadheat::runtime::schedule {

class Holders {
public:
  void hold(Task &task, U64 object, bool shared);
  // `task` releases it; null: somebody who is no task.
  void letGo(Task *task, U64 object);
  // Its number; 0: nobody that is known.
  U32 holderOf(U64 object) const;

  // Marks in `inCycle` the tasks of a circle that `self` closes by waiting. False: there is none.
  bool findCycle(const Task *tasks, U32 count, const Task &self, bool (&inCycle)[abi::kMaxTasks]) const;

private:
  struct Entry {
    U64 object;
    U32 task; // 0: free
    bool shared;
  };
  static constexpr U32 kEntries = 4096;
  static constexpr U32 kProbes = 32;

  U32 awaitedTask(const Task *tasks, U32 count, const Task &task) const;

  Entry entries_[kEntries] = {};
  bool handsOver_ = false; // a lock was released by another task than the one that took it
};

} // namespace deadheat::runtime::schedule
