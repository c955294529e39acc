// A clone of a function in which library wrappers are inlined, so that `std::lock_guard g(m);` becomes a plain call of
// pthread_mutex_lock on `m`, and its end, by whatever way, one of pthread_mutex_unlock. Without optimisation, every
// function is cloned and its variables become values.
//
// Claim   The module is left as it was. Instructions of the clone carry the site numbers of what they were cloned from;
//         no access with a number is removed, unless it was to an object on the stack that was a wrapper's.
// Assumes numbers were given before.
// Cost    Linear in the function and what is inlined, which is bounded by kMaxGrowth.
// Misses  wrappers that are called through a pointer or escape in a way that leaves the guard in memory: its state is
//         then read back by loads and branches.
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

#include "extract/wrappers.h"

namespace deadheat::extract {

class Reducer {
public:
  // `promotes`: nothing has been optimised yet.
  Reducer(llvm::Module &module, llvm::FunctionAnalysisManager &analyses, bool promotes);
  ~Reducer();
  Reducer(const Reducer &) = delete;

  struct Body {
    llvm::Function *function; // the original, or a clone that lives until the next call
    bool isReduced;           // wrappers were inlined
  };
  Body bodyOf(llvm::Function &original);

private:
  void discardClone();

  llvm::Module &module_;
  llvm::FunctionAnalysisManager &analyses_;
  bool promotes_;
  Wrappers wrappers_;
  llvm::Function *last_; // of the module: what comes after it is ours
  llvm::Function *clone_ = nullptr;
};

} // namespace deadheat::extract
