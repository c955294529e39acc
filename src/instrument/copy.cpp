#include "instrument/copy.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IntrinsicInst.h"

namespace deadheat::instrument {

using llvm::BasicBlock;
using llvm::Instruction;

namespace {

// Places repeat from one instruction to the next: the last is remembered.
class Places {
public:
  explicit Places(llvm::DISubprogram *scope) : scope_(scope) {}

  llvm::DebugLoc of(const Instruction &instruction) {
    const llvm::DebugLoc &original = instruction.getDebugLoc();
    if (!scope_ || !original) return {};
    if (llvm::isa<llvm::CallBase>(instruction) && original->getInlinedAt()) return whole(*original);
    if (original.get() != last_) {
      last_ = original.get();
      const llvm::DILocation *place = last_;
      while (const llvm::DILocation *call = place->getInlinedAt()) place = call;
      copy_ = llvm::DILocation::get(scope_->getContext(), place->getLine(), 0, scope_);
    }
    return copy_;
  }

private:
  // With the functions that were inlined on the way, for stacks and for the places of locks.
  llvm::DILocation *whole(const llvm::DILocation &place) {
    llvm::LLVMContext &context = scope_->getContext();
    if (const llvm::DILocation *call = place.getInlinedAt())
      return llvm::DILocation::get(context, place.getLine(), place.getColumn(), place.getScope(), whole(*call));
    return llvm::DILocation::get(context, place.getLine(), place.getColumn(), scope_);
  }

  llvm::DISubprogram *scope_;
  const llvm::DILocation *last_ = nullptr;
  llvm::DebugLoc copy_;
};

void copyInstructions(BasicBlock &from, BasicBlock &to, CopyMap &copies, Places &places) {
  const unsigned lineOfAssembly = from.getContext().getMDKindID("srcloc");
  for (Instruction &original : from) {
    if (llvm::isa<llvm::DbgInfoIntrinsic>(original)) continue; // variables are shown in the plain body
    Instruction *copy = original.clone();
    copy->setMetadata(llvm::LLVMContext::MD_DIAssignID, nullptr); // only this keeps LLVM's index of it right
    copy->eraseMetadataIf([&](unsigned kind, llvm::MDNode *) { return kind != lineOfAssembly; });
    copy->setDebugLoc(places.of(original));
    copy->insertInto(&to, to.end());
    if (original.hasName()) copy->setName(original.getName());
    copies[&original] = copy;
  }
}

void useCopies(BasicBlock &block, const CopyMap &copies) {
  for (Instruction &instruction : block) {
    for (llvm::Use &operand : instruction.operands())
      if (llvm::Value *copy = copies.lookup(operand)) operand.set(copy);
    if (auto *phi = llvm::dyn_cast<llvm::PHINode>(&instruction))
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
        phi->setIncomingBlock(i, llvm::cast<BasicBlock>(copies.lookup(phi->getIncomingBlock(i))));
  }
}

} // namespace

void copyBlocks(llvm::Function &from, llvm::Function &to, CopyMap &copies) {
  Places places(to.getSubprogram());
  std::vector<BasicBlock *> blocks;
  for (BasicBlock &block : from) {
    blocks.push_back(BasicBlock::Create(from.getContext(), block.getName(), &to));
    copies[&block] = blocks.back();
    copyInstructions(block, *blocks.back(), copies, places);
  }
  for (BasicBlock *block : blocks) useCopies(*block, copies);
}

} // namespace deadheat::instrument
