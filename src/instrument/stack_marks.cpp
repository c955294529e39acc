#include "instrument/stack_marks.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace deadheat::instrument {
namespace {

// What is done with an address, or with its number.
struct Uses {
  bool compared = false; // for equality with what is no constant
  bool accessed = false; // or handed to who may
};

void look(const llvm::Value &address, Uses &uses) {
  for (const llvm::Use &use : address.uses()) {
    const llvm::User *user = use.getUser();
    if (auto *compare = llvm::dyn_cast<llvm::ICmpInst>(user))
      uses.compared |= compare->isEquality() && !llvm::isa<llvm::Constant>(compare->getOperand(1 - use.getOperandNo()));
    else if (llvm::isa<llvm::PtrToIntInst>(user))
      look(*user, uses);
    else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(user))
      uses.accessed |= store->getPointerOperand() == &address;
    else if (auto *call = llvm::dyn_cast<llvm::CallInst>(user); !call || !call->isLifetimeStartOrEnd())
      uses.accessed = true;
  }
}

} // namespace

bool comparesStackDepth(const llvm::Function &function) {
  return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction &instruction) {
    Uses uses;
    if (llvm::isa<llvm::AllocaInst>(instruction)) look(instruction, uses);
    return uses.compared && !uses.accessed;
  });
}

} // namespace deadheat::instrument
