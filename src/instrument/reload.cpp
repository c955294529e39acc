#include "instrument/reload.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include "instrument/crossing.h"

namespace deadheat::instrument {

using llvm::BasicBlock;
using llvm::dyn_cast;

namespace {

// Right after the definition; for an invoke, where it returns normally.
void storeAtDefinition(llvm::Instruction &value, Memory memory) {
  if (auto *invoke = dyn_cast<llvm::InvokeInst>(&value)) {
    BasicBlock *normal = invoke->getNormalDest();
    if (!normal->getSinglePredecessor()) normal = llvm::SplitEdge(invoke->getParent(), normal);
    llvm::IRBuilder<> builder(normal, normal->getFirstInsertionPt());
    builder.CreateStore(&value, memory(builder));
    return;
  }
  BasicBlock *block = value.getParent();
  bool leads = llvm::isa<llvm::PHINode>(value) || value.isEHPad();
  llvm::IRBuilder<> builder(block, leads ? block->getFirstInsertionPt() : std::next(value.getIterator()));
  builder.CreateStore(&value, memory(builder));
}

} // namespace

void reloadInOtherBlocks(llvm::Value &value, BasicBlock *home, Memory memory) {
  llvm::DenseMap<BasicBlock *, llvm::Value *> loads;
  for (llvm::Use &use : llvm::make_early_inc_range(value.uses())) {
    BasicBlock *block = blockOfUse(use);
    if (block == home) continue;
    llvm::Value *&load = loads[block];
    if (!load) {
      llvm::IRBuilder<> builder(block, block->getFirstInsertionPt());
      load = builder.CreateLoad(value.getType(), memory(builder));
    }
    use.set(load);
  }
}

void keepInMemory(llvm::Instruction &value, Memory memory) {
  reloadInOtherBlocks(value, value.getParent(), memory);
  storeAtDefinition(value, memory);
}

llvm::Instruction *keepInputsInMemory(llvm::PHINode &phi, Memory memory) {
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    llvm::IRBuilder<> builder(phi.getIncomingBlock(i)->getTerminator());
    builder.CreateStore(phi.getIncomingValue(i), memory(builder));
  }
  llvm::IRBuilder<> builder(phi.getParent(), phi.getParent()->getFirstInsertionPt());
  llvm::Instruction *load = builder.CreateLoad(phi.getType(), memory(builder));
  phi.replaceAllUsesWith(load);
  phi.eraseFromParent();
  return load;
}

} // namespace deadheat::instrument
