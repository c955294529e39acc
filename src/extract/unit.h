// From a module to its unit of the program model: every function and every early access, numbered; symbols and code.
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

#include "ir/site.h"
#include "model/unit.h"

namespace deadheat::extract {

// Fills `unit` and numbers every access in `index`. `unit` must be empty, but for its optimisation level: at 0 the
// functions are promoted first. Besides the numbers the module is left as it was.
void extractUnit(llvm::Module &module, llvm::FunctionAnalysisManager &analyses, model::Unit &unit,
                 ir::SiteIndex &index);

} // namespace deadheat::extract
