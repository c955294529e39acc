#include "instrument/loops.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

namespace deadheat::instrument {

using llvm::dyn_cast;
using llvm::isa;

namespace {

bool hasCall(const llvm::BasicBlock &block) {
  for (const llvm::Instruction &instruction : block)
    if (isa<llvm::CallBase>(instruction) && !isa<llvm::IntrinsicInst>(instruction)) return true;
  return false;
}

// Facts about blocks, gathered once.
struct BlockFacts {
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> withAccess;
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> withCall;

  explicit BlockFacts(const LateFunction &late) {
    for (const LateAccess &entry : late.accesses) withAccess.insert(entry.access.instruction->getParent());
    for (const llvm::BasicBlock &block : *late.function)
      if (hasCall(block)) withCall.insert(&block);
  }
};

// The constant by which `next` is more than the header's `phi`; 0: not such a counter.
int64_t stepOf(const llvm::PHINode &phi, const llvm::Value *next, const llvm::DataLayout &layout) {
  if (const auto *sum = dyn_cast<llvm::BinaryOperator>(next)) {
    const auto *step = dyn_cast<llvm::ConstantInt>(sum->getOperand(1));
    bool counts = sum->getOpcode() == llvm::Instruction::Add && sum->getOperand(0) == &phi && step;
    return counts && step->getBitWidth() <= 64 ? step->getSExtValue() : 0;
  }
  const auto *element = dyn_cast<llvm::GEPOperator>(next);
  if (!element || element->getPointerOperand() != &phi) return 0;
  llvm::APInt offset(layout.getIndexTypeSizeInBits(element->getType()), 0);
  return element->accumulateConstantOffset(layout, offset) ? offset.getSExtValue() : 0;
}

// A step of odd * 2^k runs through all values of the kStretchBits bits above bit k, each once per stretch: no matter
// where it starts, those bits are zero exactly once.
bool setCounter(LoopCheck &check) {
  const llvm::DataLayout &layout = check.header->getModule()->getDataLayout();
  for (const llvm::PHINode &phi : check.header->phis()) {
    if (!phi.getType()->isIntegerTy() && !phi.getType()->isPointerTy()) continue;
    llvm::Value *next = phi.getIncomingValueForBlock(check.latch);
    int64_t step = stepOf(phi, next, layout);
    if (step == 0) continue;
    unsigned shift = static_cast<unsigned>(llvm::countr_zero(static_cast<uint64_t>(step)));
    unsigned width = static_cast<unsigned>(layout.getTypeSizeInBits(phi.getType()).getFixedValue());
    if (width > 64 || shift + kStretchBits >= width) continue;
    check.counter = next;
    check.mask = ((uint64_t(1) << kStretchBits) - 1) << shift;
    return true;
  }
  return false;
}

bool isQuiet(const llvm::Loop &loop, const BlockFacts &facts) {
  return llvm::none_of(loop.blocks(), [&](const llvm::BasicBlock *block) {
    return facts.withAccess.contains(block) || facts.withCall.contains(block);
  });
}

bool hasCall(const llvm::Loop &loop, const BlockFacts &facts) {
  return llvm::any_of(loop.blocks(), [&](const llvm::BasicBlock *block) { return facts.withCall.contains(block); });
}

bool needsCheck(LoopCheck &check, const llvm::LoopInfo &loops, llvm::ScalarEvolution &evolution,
                const BlockFacts &facts) {
  const llvm::Loop *loop = loops.getLoopFor(check.header);
  if (!loop || loop->getHeader() != check.header) { // irreducible: nothing is known
    check.loopSize = check.header->getParent()->getInstructionCount();
    return true;
  }
  for (const llvm::BasicBlock *block : loop->blocks()) check.loopSize += block->size();
  if (isQuiet(*loop, facts)) return false;
  if (hasCall(*loop, facts)) return true;
  if (!loop->isOutermost()) return false;
  if (!loop->isInnermost()) return true;
  unsigned most = evolution.getSmallConstantMaxTripCount(loop);
  if (most != 0 && most <= kBounded) return false;
  setCounter(check);
  return true;
}

} // namespace

std::vector<LoopCheck> chooseLoopChecks(const LateFunction &late, const llvm::LoopInfo &loops,
                                        llvm::ScalarEvolution &evolution) {
  llvm::SmallVector<std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>, 8> edges;
  llvm::FindFunctionBackedges(*late.function, edges);
  std::vector<LoopCheck> checks;
  if (edges.empty()) return checks;
  BlockFacts facts(late);
  for (auto [latch, header] : edges) {
    if (header->isEHPad()) continue; // an unwind edge cannot be split
    LoopCheck check{const_cast<llvm::BasicBlock *>(latch), const_cast<llvm::BasicBlock *>(header)};
    bool isNew =
        llvm::none_of(checks, [&](const LoopCheck &other) { return other.latch == latch && other.header == header; });
    if (isNew && needsCheck(check, loops, evolution, facts)) checks.push_back(check);
  }
  return checks;
}

} // namespace deadheat::instrument
