// The doors of one body at its crossings: how its state goes into the frame and comes out of it again.
//
// Both bodies have the same doors. In the told one, every value of the plain function is named through its copy.
#pragma once

#include <functional>

#include "instrument/crossing.h"

namespace deadheat::instrument {

class Doors {
public:
  using Copy = std::function<llvm::Value *(llvm::Value *)>; // of a value or block of the plain function, in this body

  Doors(llvm::Function &body, const Crossings &crossings, llvm::Value *frame, Copy copy)
      : body_(body), crossings_(crossings), frame_(frame), copy_(std::move(copy)) {}

  // Puts `via` on the back edges of `check`. `via` must branch to the header from every block in `sources`.
  void putOnBackEdge(const LoopCheck &check, const Crossing &crossing, llvm::BasicBlock *via,
                     llvm::ArrayRef<llvm::BasicBlock *> sources);

  // Stores the state that `check` would carry to its header. Before putOnBackEdge.
  void save(llvm::IRBuilder<> &builder, const LoopCheck &check, const Crossing &crossing, bool withArguments);

  // Reads the state and goes on at the header.
  void resume(llvm::BasicBlock *block, const Crossing &crossing);

  // After all of the above: values that live at a crossing have several definitions now.
  void merge();

private:
  llvm::BasicBlock *blockOf(llvm::BasicBlock *block) const { return llvm::cast<llvm::BasicBlock>(copy_(block)); }
  llvm::PHINode *phiOf(llvm::PHINode *phi) const { return llvm::cast<llvm::PHINode>(copy_(phi)); }

  llvm::Function &body_;
  const Crossings &crossings_;
  llvm::Value *frame_;
  Copy copy_;
  llvm::DenseMap<llvm::Instruction *, llvm::SmallVector<llvm::LoadInst *, 2>>
      reloads_; // by value of the plain function
};

} // namespace deadheat::instrument
