// The instrumentation of a module: inert until a runtime fills the hook table.
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

#include "instrument/hooks.h"
#include "instrument/late.h"

namespace deadheat::instrument {

// What the runtime runs on: other targets get a model and no instrumentation.
bool supportsTarget(const llvm::Module &module);

// Rewrites what `functions` decided.
void instrumentModule(llvm::Module &module, const std::vector<LateFunction> &functions, const Hooks &hooks,
                      llvm::ModuleAnalysisManager &analyses);

} // namespace deadheat::instrument
