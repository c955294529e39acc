#include "instrument/tail_calls.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include "ir/system_code.h"

namespace deadheat::instrument {
namespace {

// The code generator makes a jump of a call that only a return follows, in this block or in the next.
bool mayBecomeJump(const llvm::CallInst &call) {
  if (!call.isTailCall() || call.isMustTailCall()) return false;
  const llvm::Instruction *next = call.getNextNonDebugInstruction();
  if (!next) return false;
  if (const auto *branch = llvm::dyn_cast<llvm::BranchInst>(next)) return branch->isUnconditional();
  return llvm::isa<llvm::ReturnInst>(next);
}

// The call, or one it was inlined by, stands in the program's own source.
bool isWrittenInProgram(const llvm::CallInst &call) {
  for (const llvm::DILocation *place = call.getDebugLoc(); place; place = place->getInlinedAt())
    if (const llvm::DISubprogram *written = place->getScope()->getSubprogram(); written && !ir::isLibraryCode(*written))
      return true;
  return false;
}

} // namespace

void keepFramesBelowLibrary(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (!call || !mayBecomeJump(*call)) continue;
      const llvm::Function *callee = call->getCalledFunction();
      if (callee && ir::isLibraryFunction(*callee) && isWrittenInProgram(*call))
        call->setTailCallKind(llvm::CallInst::TCK_NoTail);
    }
}

} // namespace deadheat::instrument
