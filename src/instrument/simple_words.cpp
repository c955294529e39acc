#include "instrument/simple_words.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace deadheat::instrument {

using llvm::dyn_cast;
using llvm::Instruction;

namespace {

void replace(Instruction &old, llvm::Value *with) {
  old.replaceAllUsesWith(with);
  old.eraseFromParent();
}

// A choice between truth values is made between bytes.
void sayChoice(llvm::SelectInst &select) {
  llvm::IRBuilder<> builder(&select);
  llvm::Value *yes = builder.CreateZExt(select.getTrueValue(), builder.getInt8Ty());
  llvm::Value *no = builder.CreateZExt(select.getFalseValue(), builder.getInt8Ty());
  replace(select, builder.CreateIsNotNull(builder.CreateSelect(select.getCondition(), yes, no)));
}

void sayComparison(llvm::MinMaxIntrinsic &call) {
  llvm::IRBuilder<> builder(&call);
  llvm::Value *takesFirst = builder.CreateICmp(call.getPredicate(), call.getLHS(), call.getRHS());
  replace(call, builder.CreateSelect(takesFirst, call.getLHS(), call.getRHS()));
}

// A block that ends in a switch is selected slowly from its start.
void saySwitch(llvm::SwitchInst &choice) {
  llvm::BasicBlock *block = choice.getParent();
  if (&*block->getFirstNonPHIOrDbg() != &choice) block->splitBasicBlock(choice.getIterator());
}

void say(Instruction &instruction) {
  if (auto *select = dyn_cast<llvm::SelectInst>(&instruction); select && select->getType()->isIntegerTy(1))
    return sayChoice(*select);
  if (auto *comparison = dyn_cast<llvm::MinMaxIntrinsic>(&instruction);
      comparison && comparison->getType()->isIntegerTy())
    return sayComparison(*comparison);
  if (auto *choice = dyn_cast<llvm::SwitchInst>(&instruction)) return saySwitch(*choice);
  if (auto *call = dyn_cast<llvm::IntrinsicInst>(&instruction);
      call && call->getIntrinsicID() == llvm::Intrinsic::prefetch)
    call->eraseFromParent();
}

} // namespace

void useSimpleWords(llvm::Function &told) {
  llvm::SmallVector<Instruction *, 64> all(llvm::make_pointer_range(llvm::instructions(told)));
  for (Instruction *instruction : all) say(*instruction);
}

} // namespace deadheat::instrument
