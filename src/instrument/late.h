// The decision of the instrumentation, as data: which late accesses each function has, which slot each was given, and
// which early sites each stands for. A read that a write carries has none of its own (carried.h). Nothing is rewritten here.
#pragma once

#include <vector>

#include "llvm/IR/Module.h"

#include "ir/access.h"
#include "ir/site.h"
#include "model/unit.h"

namespace deadheat::instrument {

struct LateAccess {
  ir::Access access;
  model::LateId slot;
};

struct LateFunction {
  llvm::Function *function = nullptr;
  uint32_t slot = 0;
  std::vector<LateAccess> accesses; // in order of instructions
};

// Every function with accesses, in module order; `unit` receives the rows of its late tables.
std::vector<LateFunction> collectLate(llvm::Module &module, const ir::SiteIndex &index, model::Unit &unit);

} // namespace deadheat::instrument
