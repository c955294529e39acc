// Locks that a program makes of an atomic: `while (exchange(&word, 1)) pause(); ... word = 0;`
//
// Claim   A place is a lock if a loop updates it until it is as it wants it (spins.h), to a number other than 0 or one that is not known, and
//         0, or less than what it holds, is stored there by somebody who does not look at it. Who leaves the loop holds it, who stores lets go.
// Assumes a word that is waited for so and set to 0 is not a signal. A loop that writes 0 waits for one: `while (!exchange(&ready, 0))`.
// Cost    linear in statements.
// Misses  what readers and writers of such a lock may do together: it excludes all.
#pragma once

#include <set>
#include <utility>

#include "analyse/symbolic/atomic_steps.h"

namespace deadheat::analyse {

class OwnLocks {
public:
  OwnLocks(const link::Program &program, const AtomicSteps &steps);

  bool contains(link::FuncId function, const AtomicStep &step) const;
  // Lets go of it, if it is one.
  static bool frees(const AtomicStep &step);

private:
  using Key = std::pair<link::ClassId, int32_t>; // and offset
  std::optional<Key> keyOf(link::FuncId function, const AtomicStep &step) const;

  const link::Program &program_;
  std::set<Key> locks_;
};

} // namespace deadheat::analyse
