// Who has asked for a flag under the lock under which it is set.
//
// `lock(m); if (!table) table = make(); unlock(m); use(table);`: the table is read without the lock, and by then it stays what it is. Whoever
// makes it has found it unset under the lock; whoever asked under the same lock comes after that, or has made it himself.
//
// Claim   isUnder: on every way through one of the functions on the way to an access, the flag was asked for before, with one of `locks` held;
//         by that function, or by one that it calls.
// Assumes who finds the flag unset sets it, or does not go on. A likelihood.
// Cost    per flag, lock and function on the way one walk over its ways, and one for each of its callees that read the flag.
// Misses  locks that are no variables; flags that are reached through pointers; locks that a caller holds while it is asked.
#pragma once

#include <set>

#include "analyse/race/chains.h"
#include "analyse/rank/reach.h"

namespace deadheat::analyse {

class Asked {
public:
  Asked(const World &world, const Conditions &conditions) : world_(world), conditions_(conditions) {}

  bool isUnder(const HeldLocks &locks, FlagId flag, const Leaf &leaf) const;

private:
  using Statements = std::set<model::StatementId>;

  bool isUnder(Address lock, FlagId flag, const Leaf &leaf) const;
  Statements asking(Address lock, FlagId flag, link::FuncId function) const;
  bool isAskedByAll(Address lock, FlagId flag, link::FuncId function) const;

  const World &world_;
  const Conditions &conditions_;
};

} // namespace deadheat::analyse
