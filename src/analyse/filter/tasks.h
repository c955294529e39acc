// Whether a thread does something beside a task that it has given to std::async, before it waits for the task's future.
//
// Claim   If isBeside, a function on the way has called std::async, itself or by functions that wait for nothing, and from there a way leads to the step without a call
//         that waits for a future: get, wait, a function of the program that may do either, the end of a future on
//         another line; unless points-to knows that it is another task's. Of tasks that a loop starts, a call behind the loop waits for one, and a loop of such calls for all.
// Assumes futures that one function waits for are those of the tasks that it started.
// Cost    linear in calls, once, and in the statements of functions that start tasks, with points-to for each call that waits; per question
//         linear in those statements, and in those of functions on the way that may wait.
// Misses  that a function on the way waits for another task than this; tasks whose futures are kept, where a function that started them and waits for something has returned.
#pragma once

#include <map>
#include <set>
#include <span>
#include <tuple>
#include <vector>

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include "analyse/race/chains.h"
#include "link/loops.h"

namespace deadheat::analyse {

bool isTask(const link::Program &program, const link::Thread &thread);

class Tasks {
public:
  explicit Tasks(const link::Program &program);

  // `steps`: from what the thread was started for, outermost first.
  bool isBeside(const std::vector<Step> &steps, link::ThreadId task) const;

private:
  using Position = std::tuple<link::FuncId, uint32_t, uint32_t>; // line and column of a call in it

  // Of the function that starts a task, once: points-to is asked for each call that may wait.
  struct Around {
    link::Loops loops;
    std::set<uint32_t> waitingLoops;
    std::set<model::StatementId> waits; // for this task, perhaps
  };

  void addStart(link::CallSiteId id, unsigned depth);
  Around lookAround(link::FuncId function, llvm::function_ref<bool(const model::Statement &)> isWait) const;
  bool isBeside(const Step &step, link::CallSiteId start) const;
  Position positionOf(const link::CallSite &site) const;
  bool waits(const model::Statement &call, const link::CallSite &start) const;
  bool isForOther(const model::Call &wait, const link::CallSite &start) const;
  bool isForMany(const model::Statement &call, link::UnitId unit) const;
  std::span<const link::FuncId> calleesOf(const model::Statement &call, link::UnitId unit) const;
  bool isLibrarys(link::FuncId function) const;
  bool isBeforeWaits(const Step &step) const;
  // A way without a wait leads there, from a place in a block of the function.
  bool leadsTo(const Step &step, const Around &around, uint32_t from, model::StatementId begin) const;

  const link::Program &program_;
  link::Code code_;
  llvm::BitVector mayWait_; // [function]
  std::set<Position> starts_;
  std::map<link::CallSiteId, Around> around_; // by the start of a task
  std::map<link::CallSiteId, std::vector<link::CallSiteId>>
      startedBy_; // calls of the function that starts it there, and waits for nothing
};

} // namespace deadheat::analyse
