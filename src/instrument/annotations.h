// Annotations (abi/annotations.def) that a module calls and does not define.
//
// Claim   The module links and runs where nothing defines them, and then calls nothing; where something does, that is called.
// Assumes the linker keeps a weak undefined symbol for the loader, as GNU ld and lld do in dynamic programs.
// Misses  Addresses of annotations in initialisers: they are null where nothing defines them.
#pragma once

#include "llvm/IR/Module.h"

namespace deadheat::instrument {

void makeAnnotationsOptional(llvm::Module &module);

} // namespace deadheat::instrument
