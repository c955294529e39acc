// Which functions of a module are library wrappers around synchronisation (std::lock_guard, std::mutex::lock,
// std::thread's constructor), and which functions call them.
//
// A wrapper is a function of a library header, or a small inline constructor or destructor of the program's own (of a
// guard class), that reaches a synchronisation function through library functions and small inline functions only.
//
// Assumes names: what orders threads is called pthread_*, sem_* and so on, or has `lock` or `mutex` in its name. What
//         such a call means is decided elsewhere (knowledge/); a name too many here costs time, a name too few leaves a
//         guard unreduced.
// Cost    Linear in the uses of the functions found.
#pragma once

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Module.h"

namespace deadheat::extract {

class Wrappers {
public:
  explicit Wrappers(llvm::Module &module);

  // A function that calls wrappers and is none.
  bool callsThem(const llvm::Function &function) const { return callers_.contains(&function); }

  bool contains(const llvm::Function &function) const { return wrappers_.contains(&function); }

  // Part of the library that calls synchronisation, and is known by its own name (knowledge/).
  static bool isLeftAsItIs(const llvm::Function &function);

private:
  void visitCallers(const llvm::Function &callee);
  void visitCallersOfPair(const llvm::Function &pair);

  llvm::SmallPtrSet<const llvm::Function *, 16> reaching_;
  llvm::SmallPtrSet<const llvm::Function *, 16> wrappers_;
  llvm::SmallPtrSet<const llvm::Function *, 16> callers_;
  llvm::SmallVector<const llvm::Function *, 16> pending_;
};

} // namespace deadheat::extract
