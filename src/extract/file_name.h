// The name of a file, as a unit has it: relative names are relative to the folder of the unit's compile.
#pragma once

#include <string>

#include "llvm/IR/DebugInfoMetadata.h"

namespace deadheat::extract {

// Debug info splits absolute names at the part that they share with the folder of the compile: /home/me/src/a.c, compiled
// in /home/me/build, is `src/a.c` in `/home/me`. Such a name is put together again.
std::string fileName(const llvm::DIFile *file, llvm::StringRef compileDirectory);

} // namespace deadheat::extract
