// What debug info says about the variables of the source behind a value. Several variables may share one.
//
// Misses  variables of inlined functions, and those whose value debug info computes.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Value.h"

#include "extract/walk.h"

namespace deadheat::extract {

// The variables that live where this points to.
llvm::SmallVector<Base, 2> variablesAt(const llvm::Value *pointer);

// The variables that have this value.
llvm::SmallVector<Expression, 2> variablesWithValue(const llvm::Value *value);

} // namespace deadheat::extract
