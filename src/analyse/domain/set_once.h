// Pointers with static storage that one statement of the program sets, to a new object: `static Mutex *lock = new Mutex; return *lock;`.
//
// Claim   Whoever finds the variable set finds the same pointer each time, whatever was called in between: it is named by the variable, also
//         by who set it.
// Assumes the statement is executed once: initialisation on first use is. Where it is executed again, with another object, what is named by
//         the variable before and after is taken for one.
// Cost    linear in statements.
#pragma once

#include "llvm/ADT/BitVector.h"

#include "link/program.h"

namespace deadheat::analyse {

class SetOnce {
public:
  explicit SetOnce(const link::Program &program);

  bool has(link::GlobalId variable) const { return isSetOnce_[variable.value()]; }

private:
  llvm::BitVector isSetOnce_; // [variable]
};

} // namespace deadheat::analyse
