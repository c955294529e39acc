// How a thread gets to a function: through how many calls, how wide ones, and what it has found out on the way.
//
// A call through a pointer that may go to fifty functions goes to most of them only as far as points-to knows, and each
// such call on a way makes it less likely. A call through a parameter goes to what this thread hands over. A way on which
// a thread has tested a variable, and which goes on only if that has another value, is none, if the thread itself never
// writes the variable.
//
// Claim   A likely way is one on which no test contradicts another one, and whose calls lead to at most 2^kFarBits functions.
//         What is known at the entry of a function holds on all likely ways of the thread there, as far as other threads
//         leave those variables alone.
// Cost    per thread that is asked for, a few walks over the calls of what it reaches.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "analyse/flag/conditions.h"
#include "analyse/race/chains.h"
#include "analyse/race/world.h"
#include "analyse/rank/callbacks.h"

namespace deadheat::analyse {

struct Way {
  float bits = -1;       // the sum of the logarithms of how wide calls are, on the likeliest way; negative: not reached
  uint32_t depth = 0;    // calls on that way that the program's own code does, not the library's
  bool isLikely = false; // not too wide, and no test contradicts it
  bool isReached() const { return bits >= 0; }
};

// That the thread gets there at all.
double costOf(const Way &way);

// What a thread knows where it does something.
struct Known {
  Facts facts;
  Spans spans; // on every way
};

class Reach {
public:
  explicit Reach(const World &world);
  ~Reach();

  // Walks of all crews, on all cores. From then on several threads may ask for the ways of crews at a time.
  void prepare();

  const Conditions &conditions() const { return conditions_; }
  Way to(link::ThreadId thread, link::FuncId function);
  // The calls on the likeliest way; empty: it is none, or begins there.
  std::vector<Step> wayTo(link::ThreadId thread, link::FuncId function);
  // At the beginning of a function, on all likely ways.
  Known onEntry(link::ThreadId thread, link::FuncId function);
  // At an access that a thread gets to by these steps; nothing: only by contradicting itself.
  std::optional<Known> knownAt(link::ThreadId thread, const std::vector<Step> &steps);
  // Targets of the call at a statement.
  uint32_t widthOf(link::FuncId caller, model::StatementId statement) const;

private:
  struct Walked;
  const Walked &walked(link::ThreadId thread);
  std::unique_ptr<Walked> walk(link::ThreadId thread) const;
  const CallRecord *callAt(link::FuncId caller, model::StatementId statement) const;

  const World &world_;
  Conditions conditions_;
  Callbacks callbacks_;
  std::map<link::ThreadId, std::unique_ptr<Walked>> known_;
};

} // namespace deadheat::analyse
