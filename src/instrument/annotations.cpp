#include "instrument/annotations.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"

namespace deadheat::instrument {
namespace {

using llvm::CallBase;
using llvm::Function;

constexpr const char *kNames[] = {
#define ANNOTATION(name) #name,
#include "abi/annotations.def"
};

// Takes the same arguments, does nothing and returns zero.
Function *makeNothing(Function &annotation) {
  auto *nothing = Function::Create(annotation.getFunctionType(), llvm::GlobalValue::InternalLinkage,
                                   "deadheat.nothing." + annotation.getName(), annotation.getParent());
  nothing->setDoesNotThrow();
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(annotation.getContext(), "", nothing));
  if (nothing->getReturnType()->isVoidTy())
    builder.CreateRetVoid();
  else
    builder.CreateRet(llvm::Constant::getNullValue(nothing->getReturnType()));
  return nothing;
}

// A choice of function rather than a branch: it suits calls that may throw as well.
void makeOptional(Function &annotation) {
  llvm::SmallVector<CallBase *> calls;
  for (llvm::User *user : annotation.users())
    if (auto *call = llvm::dyn_cast<CallBase>(user); call && call->getCalledOperand() == &annotation)
      calls.push_back(call);
  annotation.setLinkage(llvm::GlobalValue::ExternalWeakLinkage);
  annotation.setDSOLocal(false);
  if (calls.empty()) return;
  Function *nothing = makeNothing(annotation);
  for (CallBase *call : calls) {
    llvm::IRBuilder<> builder(call);
    call->setCalledOperand(builder.CreateSelect(builder.CreateIsNotNull(&annotation), &annotation, nothing));
  }
}

} // namespace

void makeAnnotationsOptional(llvm::Module &module) {
  for (const char *name : kNames)
    if (Function *annotation = module.getFunction(name); annotation && annotation->isDeclaration())
      makeOptional(*annotation);
}

} // namespace deadheat::instrument
