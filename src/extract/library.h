// Which code came with the system rather than with the program.
#pragma once

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"

namespace deadheat::extract {

// In a header of the system or of the compiler. Never where the compiler ran, even if that is such a place.
bool isLibraryFile(const llvm::DIFile *file, llvm::StringRef compileDirectory);

// Defined in such a header.
bool isLibraryFunction(const llvm::Function &function);

} // namespace deadheat::extract
