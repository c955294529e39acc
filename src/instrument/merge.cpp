#include "instrument/merge.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/SSAUpdaterBulk.h"

namespace deadheat::instrument {

using llvm::BasicBlock;

namespace {

// The block at whose end (or, for a plain use, inside which) the value is needed.
BasicBlock *blockOfUse(const llvm::Use &use) {
  auto *user = llvm::cast<llvm::Instruction>(use.getUser());
  if (auto *phi = llvm::dyn_cast<llvm::PHINode>(user)) return phi->getIncomingBlock(use);
  return user->getParent();
}

} // namespace

bool ValueMerge::livesAtHeader(const llvm::Instruction &value) {
  const BasicBlock *home = value.getParent();
  llvm::SmallPtrSet<const BasicBlock *, 16> seen;
  llvm::SmallVector<const BasicBlock *, 16> work;
  auto reach = [&](const BasicBlock *block) {
    if (block != home && seen.insert(block).second) work.push_back(block);
  };
  for (const llvm::Use &use : value.uses()) reach(blockOfUse(use));
  while (!work.empty()) {
    const BasicBlock *block = work.pop_back_val();
    if (headers_.contains(block)) return true;
    for (const BasicBlock *before : llvm::predecessors(block)) reach(before);
  }
  return false;
}

void ValueMerge::findLiveValues() {
  if (headers_.empty()) return;
  for (BasicBlock *block : blocks_)
    for (llvm::Instruction &value : *block)
      if (!value.use_empty() && livesAtHeader(value)) live_.push_back(&value);
}

void ValueMerge::repair(llvm::Function &function) {
  if (live_.empty()) return;
  llvm::DominatorTree dominators(function);
  llvm::SSAUpdaterBulk updater;
  for (llvm::Instruction *value : live_) {
    auto *copy = llvm::cast<llvm::Instruction>(copies_.lookup(value));
    unsigned variable = updater.AddVariable(value->getName(), value->getType());
    for (llvm::Instruction *definition : {value, copy}) {
      updater.AddAvailableValue(variable, definition->getParent(), definition);
      for (llvm::Use &use : definition->uses())
        if (blockOfUse(use) != definition->getParent()) updater.AddUse(variable, &use);
    }
  }
  updater.RewriteAllUses(&dominators);
}

} // namespace deadheat::instrument
