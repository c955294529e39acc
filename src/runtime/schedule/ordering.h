// Whether, and by what, one side of the pair always comes after the other.
//
// The last execution of each side is remembered. News of it travel with synchronisation: whoever had them when it released a lock,
// signalled, created a thread or ended passes them on to who acquires, was woken, began or joined. If the task that then
// executes the other side on the same address has heard, synchronisation orders the two, and the link by which it heard is kept.
//
// Claim   `ordered == met` of abi::Order: in this run synchronisation ordered the sides whenever two tasks met on an address.
// Assumes atomic operations publish and observe, whatever their memory order.
// Cost    A look-up per synchronisation once a side was executed, nothing before.
// Misses  Orders through pipes, sockets and plain variables.
#pragma once

#include "runtime/schedule/task.h"

namespace deadheat::runtime::schedule {

class Ordering {
public:
  // The task executes its target.
  void execute(const Task &task, abi::Order &order);
  void publish(const Task &task, U64 object);
  void observe(const Task &task, U64 object, Action action, U64 place);
  void pass(const Task &from, const Task &to, Action action, U64 place);

private:
  struct Link {
    U64 object;
    U64 place;
    Action action;
  };
  // Of one side.
  struct News {
    U32 number; // of the execution; 0: none yet
    U32 task;
    Operation operation;
    U32 heardBy[abi::kMaxTasks]; // number of the execution that a task has heard of last
    Link links[abi::kMaxTasks];
  };
  struct Object {
    U64 address;
    U32 numbers[2]; // of the executions that who publishes here had heard of
  };
  static constexpr U32 kObjects = 4096;

  static bool hears(News &news, U32 number, const Task &task, const Link &link);
  void judge(const News &news, const Task &task, abi::Order &order) const;
  Object *objectAt(U64 address, bool add);

  News news_[2] = {};
  Object objects_[kObjects] = {};
};

} // namespace deadheat::runtime::schedule
