// Where a loop asks whether to change body, decided per back edge.
//
// A check costs a load, a compare and a branch. In a loop of a few instructions that is felt, so a small innermost loop asks only
// once in kStretch iterations, by a test of its own counter, and a loop that is over soon, or that has nothing to tell of, never asks:
//
//   none      no access and no call inside, or at most kBounded iterations and no call
//   stretch   an innermost loop without calls whose counter steps by a constant
//   always    every other loop
//
// Claim   A function that runs on has at most kStretch iterations, or kBounded of an inner loop, between two checks.
// Cost    Scalar evolution for innermost loops only.
#pragma once

#include <vector>

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Function.h"

#include "instrument/late.h"

namespace deadheat::instrument {

inline constexpr unsigned kStretchBits = 10; // 1024 iterations
inline constexpr unsigned kBounded = 256;

struct LoopCheck {
  llvm::BasicBlock *latch = nullptr;
  llvm::BasicBlock *header = nullptr;
  llvm::Value *counter = nullptr; // null: check always; else its value at the back edge
  uint64_t mask = 0;              // check when counter & mask == 0
};

std::vector<LoopCheck> chooseLoopChecks(const LateFunction &late, const llvm::LoopInfo &loops, llvm::ScalarEvolution &evolution);

} // namespace deadheat::instrument
