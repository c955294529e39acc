// SSA repair after the two bodies were joined at back edges: a value that lives across such an edge now has two definitions,
// its own and its copy's, and the joint needs a merge of both.
//
// Only values that are live at a joined header are touched: most functions have none. Live ranges are found by walking
// backwards from each use, before the bodies are joined.
#pragma once

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace deadheat::instrument {

class ValueMerge {
public:
  ValueMerge(const llvm::SmallVectorImpl<llvm::BasicBlock *> &blocks, const llvm::ValueToValueMapTy &copies)
      : blocks_(blocks), copies_(copies) {}

  // `header` will be reached from both bodies.
  void watch(llvm::BasicBlock *header) { headers_.insert(header); }

  void findLiveValues(); // before the bodies are joined
  void repair(llvm::Function &function); // after

private:
  bool livesAtHeader(const llvm::Instruction &value);

  const llvm::SmallVectorImpl<llvm::BasicBlock *> &blocks_;
  const llvm::ValueToValueMapTy &copies_;
  llvm::SmallPtrSet<const llvm::BasicBlock *, 8> headers_;
  llvm::SmallVector<llvm::Instruction *, 16> live_;
};

} // namespace deadheat::instrument
