// Which code came with the system rather than with the program.
#pragma once

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"

namespace deadheat::ir {

// Written in a header of the system or of the compiler. Never where the compiler ran, even if that is such a place.
bool isLibraryCode(const llvm::DISubprogram &subprogram);
bool isLibraryFunction(const llvm::Function &function);

} // namespace deadheat::ir
