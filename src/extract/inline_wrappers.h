// Inlines wrappers into a function and cleans up after them.
#pragma once

#include "llvm/IR/PassManager.h"

#include "extract/wrappers.h"

namespace deadheat::extract {

// Turns the variables on the stack whose address is not taken into values.
void promoteVariables(llvm::Function &function);

// False: nothing was inlined.
bool inlineWrappers(llvm::Function &function, const Wrappers &wrappers, llvm::FunctionAnalysisManager &analyses);

// Whether this access of a function with inlined wrappers was none before: it came with them, or was there, without a
// number. Other accesses without one were split from those that had one.
bool wasNoAccess(const llvm::Instruction &instruction);

} // namespace deadheat::extract
