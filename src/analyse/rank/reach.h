// How a thread gets to a function: through how many calls, and through how wide ones.
//
// A call through a pointer that may go to fifty functions goes to most of them only as far as points-to knows. What a
// thread reaches by such a call alone is a weaker finding than what it calls by name.
//
// Cost    per thread that is asked for, one walk over the calls of what it reaches.
#pragma once

#include <map>
#include <vector>

#include "analyse/race/world.h"

namespace deadheat::analyse {

struct Way {
  uint32_t width = 0; // targets of the widest call on the narrowest way; 0: not reached
  uint32_t depth = 0; // calls on that way
};

// Of a width: that the thread gets there at all.
double costOf(const Way &way);

class Reach {
public:
  explicit Reach(const World &world) : world_(world) {}

  Way to(link::ThreadId thread, link::FuncId function);
  // Of the call at a statement.
  uint32_t widthOf(link::FuncId caller, model::StatementId statement) const;

private:
  std::vector<Way> walk(link::ThreadId thread) const;

  const World &world_;
  std::map<link::ThreadId, std::vector<Way>> known_; // [function]
};

} // namespace deadheat::analyse
