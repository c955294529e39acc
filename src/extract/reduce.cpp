#include "extract/reduce.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

#include "extract/inline_wrappers.h"
#include "extract/tasks.h"

namespace deadheat::extract {

namespace {

// A second function with the same body, which shares the debug info of the first. Not by LLVM's CloneFunctionInto: that
// visits every type that debug info mentions, for each function, which took a fifth of the compile time of C++.
llvm::Function *cloneOf(llvm::Function &original) {
  auto *clone = llvm::Function::Create(original.getFunctionType(), llvm::GlobalValue::InternalLinkage,
                                       original.getAddressSpace(), "", original.getParent());
  clone->copyAttributesFrom(&original);
  clone->setIsNewDbgInfoFormat(original.IsNewDbgInfoFormat);
  llvm::ValueToValueMapTy values;
  for (auto [from, to] : llvm::zip_equal(original.args(), clone->args())) values[&from] = &to;
  for (llvm::BasicBlock &block : original) values[&block] = llvm::CloneBasicBlock(&block, values, "", clone);
  const llvm::RemapFlags flags = llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals;
  llvm::DenseMap<llvm::DIAssignID *, llvm::DIAssignID *> assignments; // else a store's would be found in both
  for (llvm::Instruction &instruction : llvm::instructions(*clone)) {
    llvm::at::remapAssignID(assignments, instruction);
    llvm::RemapInstruction(&instruction, values, flags);
    llvm::RemapDbgRecordRange(original.getParent(), instruction.getDbgRecordRange(), values, flags);
  }
  clone->setSubprogram(original.getSubprogram());
  clone->removeFnAttr(llvm::Attribute::OptimizeNone);
  clone->removeFnAttr(llvm::Attribute::NoInline);
  return clone;
}

// The address of a block is a constant that a clone would have to share.
bool canBeCloned(const llvm::Function &function) {
  return llvm::none_of(function, [](const llvm::BasicBlock &block) { return block.hasAddressTaken(); }) &&
         !function.isPresplitCoroutine();
}

} // namespace

Reducer::Reducer(llvm::Module &module, llvm::FunctionAnalysisManager &analyses, bool promotes)
    : module_(module), analyses_(analyses), promotes_(promotes), wrappers_(module),
      last_(module.empty() ? nullptr : &*std::prev(module.end())) {}

// Inlining may have declared intrinsics, too; only the clones used them.
Reducer::~Reducer() {
  discardClone();
  while (last_ && &*std::prev(module_.end()) != last_) std::prev(module_.end())->eraseFromParent();
}

void Reducer::discardClone() {
  if (!clone_) return;
  analyses_.clear(*clone_, clone_->getName());
  clone_->setSubprogram(nullptr);
  clone_->eraseFromParent();
  clone_ = nullptr;
}

Reducer::Body Reducer::bodyOf(llvm::Function &original) {
  discardClone();
  bool inlines = wrappers_.callsThem(original);
  if ((!promotes_ && !inlines) || !canBeCloned(original)) return {&original, false};
  clone_ = cloneOf(original);
  callTasks(*clone_);
  if (promotes_) promoteVariables(*clone_);
  bool isReduced = inlines && inlineWrappers(*clone_, wrappers_, analyses_);
  return {clone_, isReduced};
}

} // namespace deadheat::extract
