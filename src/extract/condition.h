// What a branch asks, in terms of the values that are compared: `if (!pthread_mutex_trylock(m))` asks whether the
// call's result equals 0, however many instructions say so.
#pragma once

#include "llvm/IR/Instructions.h"

#include "model/code.h"

namespace deadheat::extract {

struct Condition {
  const llvm::Value *left = nullptr;
  const llvm::Value *right = nullptr; // null: 0
  model::Predicate predicate = model::Predicate::NotEqual;
};

Condition conditionOf(const llvm::Value *truth);

// The comparison of an instruction, as it stands.
model::Predicate predicateOf(const llvm::ICmpInst &compare);

// The compare-exchange whose success is `truth`: it found what it expected. Null: it is something else.
const llvm::AtomicCmpXchgInst *exchangeOf(const llvm::Value *truth);

// The parts of `a && b && c` or `a || b || c`, where the optimiser made one branch of several; otherwise one part.
struct Parts {
  llvm::SmallVector<const llvm::Value *, 2> truths;
  bool isAnd = true; // all must hold, else any
};
Parts partsOf(const llvm::BranchInst &branch);

// A truth that only branches ask for: it needs no statement of its own.
bool isFoldedIntoBranch(const llvm::Instruction &truth);

} // namespace deadheat::extract
