// Whether a function that starts a thread is called again while that thread may still run: `for (...) start(&workers[i]);`,
// `first.start(); second.start();`, `for (...) pool.add();`.
//
// How     The calls by name around it are looked at. One that gets another object each time starts another thread. One that gets the
//         same may find that it was started already: it counts if no branch on what memory holds, or on what a function says, leads around the start, and if
//         nothing on a way from the one call to the next joins.
// Assumes a branch on numbers, parameters and results of functions without a model does not ask whether there is a thread already.
// Cost    linear in the functions around the start; once in the calls of the program.
// Misses  calls through pointers; starts that a setting turns on.
#pragma once

#include <vector>

#include "llvm/ADT/BitVector.h"

#include "link/definitions.h"
#include "link/thread_finder.h"

namespace deadheat::link {

class StartedAgain {
public:
  // `leadsToStart`: [function].
  StartedAgain(const ThreadInput &input, const Often &often, const llvm::BitVector &leadsToStart,
               const Lists<FuncId, uint32_t> &sitesOf)
      : input_(input), code_(input.code), often_(often), leadsToStart_(leadsToStart), sitesOf_(sitesOf) {}

  // By the call site `start`, which is one of a thread's.
  bool isCalledInLoop(CallSiteId start);
  // One call can be followed by another one.
  bool isCalledTwice(CallSiteId start);

private:
  struct Around {
    CallSiteId site;
    bool eachTime; // whenever it is executed, a thread is started
  };

  std::vector<Around> callsAround(CallSiteId start) const;
  bool getsOther(const CallSite &site) const;
  bool callsJoin(FuncId function) const;
  std::vector<bool> leadToOne(FuncId function, const Loops &loops, uint32_t loop,
                              const std::vector<uint32_t> &blocks) const;
  std::vector<uint32_t> blocksLike(const CallSite &site, const Loops &loops) const;
  bool isEachTime(const CallSite &site) const;
  bool asksMemory(const Definitions &definitions, const CallSite &site, model::Operand operand, int depth = 0) const;
  bool joins(CallSiteId site);
  bool leadsAroundJoins(const CallSite &first, const CallSite &second);
  bool isShown(const Around &first, const Around &second);
  void findLeadingToJoin();

  const ThreadInput &input_;
  const Code &code_;
  const Often &often_;
  const llvm::BitVector &leadsToStart_;
  const Lists<FuncId, uint32_t> &sitesOf_;
  llvm::BitVector leadsToJoin_; // [function]; empty: not asked for yet
};

} // namespace deadheat::link
