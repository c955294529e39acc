// Where control may pass between the two bodies of a function, and what must travel with it.
//
// A crossing is a loop header of which some back edge has a check. The state there is: the values that live at the
// header, what the header's phis receive, and the stack slots. It travels in a frame, a record in the
// plain function's stack:
//
//   result | return slot | arguments | stack slots | live values | phi inputs
//
// Of a stack slot the address travels, and both bodies use the same memory.
//
// A crossing costs a store and a load per value in each body. Where that is much compared with the loop (kDoorShare),
// the loop has no crossing.
//
// Cost    Each value's live range is walked once, backwards from its uses.
#pragma once

#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

#include "instrument/loops.h"

namespace deadheat::instrument {

struct Crossing {
  llvm::BasicBlock *header = nullptr;
  std::vector<LoopCheck> checks;              // its back edges
  llvm::SmallVector<llvm::Value *, 8> live;   // instructions and arguments, in order of the function
  llvm::SmallVector<llvm::PHINode *, 4> phis; // of the header
};

inline constexpr size_t kDoorFree = 3;   // values that may travel from any loop
inline constexpr size_t kDoorShare = 24; // instructions a loop must have for each value beyond that

class Crossings {
public:
  // May split edges of `function`.
  Crossings(llvm::Function &function, const std::vector<LoopCheck> &checks);

  bool empty() const { return list_.empty(); }
  const std::vector<Crossing> &list() const { return list_; } // number k of the protocol is list()[k - 1]

  const llvm::SmallVectorImpl<llvm::AllocaInst *> &stackSlots() const { return stackSlots_; }
  const llvm::SmallVectorImpl<llvm::Instruction *> &liveValues() const { return liveValues_; }

  // Whether every value that would travel can be stored.
  bool canTravel() const;

  // The frame.
  llvm::StructType *frameType() const;
  llvm::Value *resultField(llvm::IRBuilder<> &builder, llvm::Value *frame) const;
  llvm::Value *returnSlotField(llvm::IRBuilder<> &builder, llvm::Value *frame) const;
  llvm::Value *valueField(llvm::IRBuilder<> &builder, llvm::Value *frame, const llvm::Value *value) const;
  llvm::Value *phiField(llvm::IRBuilder<> &builder, llvm::Value *frame, const llvm::PHINode *phi) const;

private:
  void findStackSlots();
  void findLiveValues();
  void walkLiveRange(llvm::Value &value);
  void dropDearCrossings();
  void layOutFrame();
  unsigned addField(llvm::Type *type);

  llvm::Function &function_;
  std::vector<Crossing> list_;
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> headers_; // -> index into list_
  llvm::SmallVector<llvm::AllocaInst *, 8> stackSlots_;
  llvm::SmallVector<llvm::Instruction *, 16> liveValues_; // live at some crossing
  llvm::SmallVector<llvm::Type *, 16> fields_;
  llvm::DenseMap<const llvm::Value *, unsigned> valueFields_;
  llvm::DenseMap<const llvm::Value *, unsigned> phiFields_;
};

// Where the use needs the value: for a phi, the block it comes from.
llvm::BasicBlock *blockOfUse(const llvm::Use &use);

} // namespace deadheat::instrument
