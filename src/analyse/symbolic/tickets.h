// Numbers that atomic counters give out: `i = next.fetch_add(1)`. What one thread has found there, no other one finds.
//
// Claim   A counter is one way if all updates of its place in the program move it up, or all move it down. Stores may set it anew: that
//         begins another round. Relaxed operations give out numbers as others do.
//         A ticket is what an update of such a counter has found, or one of several of those, whichever way was taken; below 0 there is none.
// Assumes a number that is added and not known is positive; rounds do not overlap.
// Cost    linear in statements, twice; nothing more for functions without atomic updates.
// Misses  what is computed from a ticket, such as the result of `++next`.
#pragma once

#include <map>
#include <set>

#include "analyse/symbolic/atomic_steps.h"
#include "link/definitions.h"

namespace deadheat::analyse {

class OneWay {
public:
  OneWay(const link::Program &program, const AtomicSteps &steps);

  bool contains(link::FuncId function, const AtomicStep &step) const;

private:
  using Place = std::pair<link::ClassId, int32_t>;

  std::optional<Place> placeOf(link::FuncId function, const AtomicStep &step) const;

  const link::Program &program_;
  std::map<Place, model::Move> moves_; // Any: not one way
};

class Tickets {
public:
  Tickets(const link::Program &program, link::FuncId function, const AtomicSteps &steps, const OneWay &oneWay);

  bool contains(const model::Operand &number) const;
  // The number of something in the part of an array that a ticket chooses: `y * width + x`.
  bool chooses(const model::Operand &number) const;

private:
  bool isOneOf(const model::Operand &number, int depth) const;

  std::optional<link::Definitions> definitions_; // none: no tickets
  std::set<model::ValueId> given_;
};

} // namespace deadheat::analyse
