// How many threads a semaphore lets in at once: one that was made with more than one keeps nobody out.
//
// Claim   letInSeveral(signal): a call that makes a semaphore, which `signal` may be, gives it a number greater than 1 to begin with.
// Assumes points-to tells semaphores apart where they are made, by their variables or by the objects that they are members of.
// Cost    once, linear in the calls that make semaphores and in the callers of functions that do so for them.
// Misses  numbers that are computed; what is posted more often than it was waited for.
#pragma once

#include <vector>

#include "analyse/race/world.h"

namespace deadheat::analyse {

class Permits {
public:
  explicit Permits(const World &world);

  bool letInSeveral(link::Location signal) const;

private:
  // A function that makes one, of what it gets and with the number that it gets.
  struct Maker {
    link::FuncId function;
    int object = 0;
    int number = 0;
  };

  void gather(Maker maker, int depth);

  const World &world_;
  std::vector<link::Location> several_;
};

} // namespace deadheat::analyse
