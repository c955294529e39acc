// Where a loop asks whether to change body, decided per back edge.
//
// A check costs a load, a compare and a branch when it is inert, and code that saves and restores the function's state.
// So not every loop asks:
//
//   never     a loop with no access and no call inside; one of at most kBounded iterations and no call; one without
//             calls inside another loop, which asks for it
//   stretch   an innermost loop without calls whose counter steps by a constant: once in kStretch iterations, by a test
//             of that counter
//   always    every other loop
//
// Claim   A function that runs on asks at least once per iteration of its outermost loops and of every loop that calls,
//         or once per stretch of them, but for the loops whose state is too much to carry (crossing.h).
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
  size_t loopSize = 0;            // instructions in the loop
};

std::vector<LoopCheck> chooseLoopChecks(const LateFunction &late, const llvm::LoopInfo &loops,
                                        llvm::ScalarEvolution &evolution);

} // namespace deadheat::instrument
