// From a module to its unit of the program model: every function and every early access, numbered.
#pragma once

#include "llvm/IR/Module.h"

#include "ir/site.h"
#include "model/unit.h"

namespace deadheat::extract {

// Fills `unit` and numbers every access in `index`. `unit` must be empty.
void extractUnit(llvm::Module &module, model::Unit &unit, ir::SiteIndex &index);

} // namespace deadheat::extract
