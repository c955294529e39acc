#include "instrument/doors.h"

#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/SSAUpdaterBulk.h"

namespace deadheat::instrument {

using llvm::BasicBlock;
using llvm::dyn_cast;

void Doors::putOnBackEdge(const LoopCheck &check, const Crossing &crossing, BasicBlock *via,
                          llvm::ArrayRef<BasicBlock *> sources) {
  BasicBlock *latch = blockOf(check.latch);
  latch->getTerminator()->replaceSuccessorWith(blockOf(check.header), via);
  for (llvm::PHINode *original : crossing.phis) {
    llvm::PHINode *phi = phiOf(original);
    llvm::Value *value = phi->getIncomingValueForBlock(latch);
    phi->removeIncomingValueIf([&](unsigned i) { return phi->getIncomingBlock(i) == latch; },
                               /*DeletePHIIfEmpty=*/false);
    for (BasicBlock *source : sources) phi->addIncoming(value, source);
  }
}

void Doors::save(llvm::IRBuilder<> &builder, const LoopCheck &check, const Crossing &crossing, bool withArguments) {
  for (llvm::Value *value : crossing.live)
    if (withArguments || llvm::isa<llvm::Instruction>(value))
      builder.CreateStore(copy_(value), crossings_.valueField(builder, frame_, value));
  for (llvm::PHINode *phi : crossing.phis) {
    llvm::Value *input = phiOf(phi)->getIncomingValueForBlock(blockOf(check.latch));
    builder.CreateStore(input, crossings_.phiField(builder, frame_, phi));
  }
}

// Arguments are not read: they never change.
void Doors::resume(BasicBlock *block, const Crossing &crossing) {
  llvm::IRBuilder<> builder(block);
  for (llvm::Value *value : crossing.live)
    if (auto *instruction = dyn_cast<llvm::Instruction>(value)) {
      llvm::Value *field = crossings_.valueField(builder, frame_, value);
      reloads_[instruction].push_back(builder.CreateLoad(value->getType(), field));
    }
  for (llvm::PHINode *phi : crossing.phis) {
    llvm::Value *field = crossings_.phiField(builder, frame_, phi);
    phiOf(phi)->addIncoming(builder.CreateLoad(phi->getType(), field), block);
  }
  builder.CreateBr(blockOf(crossing.header));
}

void Doors::merge() {
  if (crossings_.liveValues().empty()) return;
  llvm::DominatorTree dominators(body_);
  llvm::SSAUpdaterBulk updater;
  for (llvm::Instruction *original : crossings_.liveValues()) {
    auto *value = llvm::cast<llvm::Instruction>(copy_(original));
    unsigned variable = updater.AddVariable(value->getName(), value->getType());
    updater.AddAvailableValue(variable, value->getParent(), value);
    for (llvm::LoadInst *reload : reloads_[original]) updater.AddAvailableValue(variable, reload->getParent(), reload);
    for (llvm::Use &use : value->uses())
      if (blockOfUse(use) != value->getParent()) updater.AddUse(variable, &use);
  }
  updater.RewriteAllUses(&dominators);
}

} // namespace deadheat::instrument
