#include "instrument/guard.h"

#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace deadheat::instrument {

using llvm::BasicBlock;
using llvm::Instruction;

namespace {

llvm::MDNode *rarely(llvm::LLVMContext &context) { return llvm::MDBuilder(context).createBranchWeights(1, 1u << 20); }

// Makes `told` and `plain`, which compute the same, the two ways to what follows `plain`.
void merge(Instruction &plain, Instruction &told, BasicBlock *toldEnd) {
  if (plain.getType()->isVoidTy()) return;
  BasicBlock *after = plain.getParent()->getSingleSuccessor();
  llvm::PHINode *either = llvm::PHINode::Create(plain.getType(), 2, "", after->begin());
  plain.replaceAllUsesWith(either);
  either->addIncoming(&plain, plain.getParent());
  either->addIncoming(&told, toldEnd);
}

void guardAround(const LateAccess &entry, const Hooks &hooks, llvm::Value *asked, llvm::CallingConv::ID convention) {
  Instruction *assembly = entry.access.instruction, *after = assembly->getNextNode();
  llvm::IRBuilder<> builder(ifRarely(asked, assembly));
  hooks.tellBegin(builder, entry.access, entry.slot, convention);
  builder.SetInsertPoint(ifRarely(asked, after));
  hooks.tellEnd(builder, entry.access, entry.slot, convention);
}

} // namespace

bool isSync(const ir::Access &access) { return ir::isAtomic(access.kind) || access.kind == model::AccessKind::Fence; }

void breakPromises(llvm::Function &function) {
  for (auto kind : {llvm::Attribute::Memory, llvm::Attribute::NoSync, llvm::Attribute::NoFree,
                    llvm::Attribute::WillReturn, llvm::Attribute::Speculatable})
    function.removeFnAttr(kind);
}

Instruction *ifRarely(llvm::Value *condition, Instruction *where) {
  return llvm::SplitBlockAndInsertIfThen(condition, where, /*Unreachable=*/false, rarely(where->getContext()));
}

void guardSync(const LateAccess &entry, const Hooks &hooks) {
  Instruction *plain = entry.access.instruction;
  llvm::IRBuilder<> builder(plain);
  llvm::Value *asked = hooks.isSyncTold(builder);
  llvm::CallingConv::ID convention = plainConvention(*plain->getFunction());
  if (!ir::isAtomic(entry.access.kind)) {
    builder.SetInsertPoint(ifRarely(asked, plain));
    return hooks.tell(builder, entry.access, entry.slot, convention);
  }
  if (llvm::isa<llvm::CallInst>(plain)) return guardAround(entry, hooks, asked, convention);
  Instruction *toldEnd = nullptr, *plainEnd = nullptr;
  llvm::SplitBlockAndInsertIfThenElse(asked, plain->getIterator(), &toldEnd, &plainEnd, rarely(plain->getContext()));
  ir::Access access = entry.access;
  access.instruction = plain->clone();
  access.instruction->insertBefore(toldEnd);
  plain->moveBefore(plainEnd);
  merge(*plain, *access.instruction, toldEnd->getParent());
  builder.SetInsertPoint(access.instruction);
  hooks.tell(builder, access, entry.slot, convention);
}

} // namespace deadheat::instrument
