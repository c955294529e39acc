// Reads whose value goes nowhere but into what is then written in the same place: `++hits`, `sum += n`. Who counts so under a lock has
// not looked at what others counted before.
//
// Claim   If only(late) holds, the late access reads by such reads alone, and no function that may run in the same call of a caller
//         reads the variable or field otherwise.
// Assumes nobody reads it otherwise by a pointer to a number of another size or to a field, by a call through a pointer, or in another unit, while the lock is held.
// Cost    One pass over the statements of the unit, and one over its calls for each function that counts what others read.
// Misses  Counters of floats, and those that only a pointer to them names.
#pragma once

#include <map>
#include <vector>

#include "llvm/ADT/BitVector.h"

#include "model/unit.h"

namespace deadheat::model {

class Counting {
public:
  explicit Counting(const Unit &unit);

  // Whatever the late access reads, it does so to count; one that reads nothing does, too.
  bool only(const LateAccess &late) const;

private:
  struct Read {
    FunctionId function;
    SymbolId variable; // invalid: none that the function names
    SiteId site;
  };

  void readFunction(FunctionId id);
  void addCall(FunctionId caller, const Call &call);
  llvm::BitVector near(FunctionId function) const;
  bool isReadOtherwise(const Read &counted, const llvm::BitVector &nearby) const;
  bool mayBeSame(const Read &counted, const Read &read) const;
  bool isField(const Site &site) const { return !unit_.strings[site.field].empty(); }

  const Unit &unit_;
  std::vector<SiteId> takers_; // [site]: of a read that counts, the write that takes its value
  std::vector<Read> counted_, others_;
  llvm::BitVector passedOn_;                               // by symbol: someone may have its address
  std::vector<std::vector<FunctionId>> callees_, callers_; // by function
};

} // namespace deadheat::model
