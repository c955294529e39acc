// Whether a thread does something before it tells others: sets an atomic, posts a semaphore, writes what somebody waits for under a condition
// variable.
//
// Claim   of: whether it is told after the access, on its way or when its function has returned to one of its callers; and whether it may have
//         been told before, in the same ways.
// Cost    per place that is told, the functions that tell it and their callers, once; per access, its way and its callers, at most kMaxUp.
// Misses  which of several things that points-to takes for one is told.
#pragma once

#include <map>
#include <set>
#include <tuple>

#include "analyse/filter/permits.h"
#include "analyse/race/chains.h"
#include "analyse/symbolic/waits.h"
#include "link/loops.h"

namespace deadheat::analyse {

class Signals {
public:
  explicit Signals(const World &world);

  struct Order {
    bool isKnown = true;   // else too much leads to what tells
    bool follows = false;  // it is told after the access
    bool precedes = false; // and before it
    bool isAwake = false;  // that, with no wait in between
    bool isAgain = false;  // it is told again and again, with no wait in between, before and after the access
  };
  Order of(const Leaf &leaf, link::ThreadId thread, link::Location signal);
  // It is set by nobody but the library, for whoever has the future of a task, which the thread is: see tasks.h.
  bool isOfTask(link::ThreadId thread, link::Location signal);
  // It is a semaphore that lets in several at once.
  bool letsInSeveral(link::Location signal) const { return permits_.letInSeveral(signal); }
  bool isBarrier(link::Location signal);
  // Of a barrier: a function that does both comes from the one back to the other without it, or another barrier, as in the next round of
  // a loop.
  bool comesRound(const Leaf &from, const Leaf &to, link::Location barrier);
  // It is a semaphore, or what counts as one.
  bool isPosted(link::Location signal);
  // A function on the way waits for semaphores in a loop that the access is not in, or several times: it waits for all who post.
  bool isBehindWaits(const Leaf &leaf);
  // By a statement of a function on the way, in no loop that the way is in.
  bool isMadeBefore(const Leaf &leaf, link::FuncId maker, model::StatementId statement);

private:
  using Statements = std::set<model::StatementId>;
  using Told = std::map<link::FuncId, Statements>; // where, by a call too
  struct Teller {
    link::FuncId function;
    model::StatementId statement;
    bool isCounted = false; // a semaphore is posted: each wait takes one away
    bool isBarrier = false;
    bool isPassedOn = false; // by a call of a function that tells it
  };
  // Of a function.
  struct Shape {
    link::Loops loops;
    WaitExits exits;
    Statements waits;
    Statements barriers;                // of the waits
    std::set<uint32_t> waitingLoops;    // outermost ones with a wait inside
    std::multiset<uint32_t> semaphores; // of the waits for semaphores: the outermost loop of each, or none
  };

  template <typename Visit> void forEachTeller(link::Location signal, Visit visit);
  uint32_t loopOf(link::FuncId function, model::StatementId statement);
  const Told &told(link::Location signal);
  void findSleepers();
  bool looks(link::FuncId function, int depth);
  bool isWait(link::FuncId function, const model::Statement &statement);
  // Of a call of the library; null: it is none.
  const knowledge::Row *rowOf(link::FuncId function, const model::Statement &statement) const;
  const Shape &shapeOf(link::FuncId function);
  // Which ways from one statement to another count: all; those over no wait; those over none of some statements.
  enum class Ways : uint8_t { All, Awake, Around };
  bool leadsTo(link::FuncId function, const Statements &from, const Statements &to, Ways ways,
               const Statements &around = {});
  bool comesAgain(link::FuncId function, const Statements &tellers, model::StatementId statement);
  Order orderAt(link::Location signal, link::FuncId function, model::StatementId statement);

  const World &world_;
  link::Code code_;
  Permits permits_;
  std::map<link::ClassId, std::map<link::Location, std::vector<Teller>>> tellers_; // of each class, by place
  std::vector<bool> sleepers_; // [function]: it waits for others, itself or in what it calls by name
  std::map<link::FuncId, bool> looks_;
  std::map<link::Location, Told> told_;
  std::map<link::FuncId, Shape> shapes_;
  std::map<std::tuple<link::Location, link::FuncId, model::StatementId>, Order> orders_;
};

} // namespace deadheat::analyse
