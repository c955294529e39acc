#include "extract/tasks.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

namespace deadheat::extract {
namespace {

constexpr llvm::StringRef kMakesSetter = "_ZNSt13__future_base14_S_task_setterI";
constexpr llvm::StringRef kKeepsSetter = "_ZNSt8functionIFSt10unique_ptrINSt13__future_base12_Result_base";
constexpr llvm::StringRef kSetter = "_ZNKSt13__future_base12_Task_setterI";
constexpr llvm::StringRef kCallOperator = "clEv"; // that takes nothing, as a name ends
constexpr unsigned kMaxHelpers = 64;              // of the library, between std::function and what it calls

bool isKeeper(const llvm::Function &function) {
  return function.getName().starts_with(kKeepsSetter) && function.getName().contains("12_Task_setterI");
}

// The only call of such a function; null: none, or several.
template <typename Is> llvm::CallBase *onlyCall(llvm::Function &function, Is is) {
  llvm::CallBase *found = nullptr;
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || !is(*callee)) continue;
    if (found) return nullptr;
    found = call;
  }
  return found;
}

// The _Task_setter's call operator, which a std::function of it leads to.
llvm::Function *setterBehind(llvm::Function &keeper) {
  llvm::SetVector<llvm::Function *> pending;
  pending.insert(&keeper);
  for (size_t next = 0; next < pending.size() && next < kMaxHelpers; ++next) {
    if (pending[next]->getName().starts_with(kSetter) && pending[next]->getName().ends_with(kCallOperator))
      return pending[next];
    for (llvm::Instruction &instruction : llvm::instructions(*pending[next]))
      for (llvm::Value *operand : instruction.operands())
        if (auto *named = llvm::dyn_cast<llvm::Function>(operand)) pending.insert(named);
  }
  return nullptr;
}

} // namespace

void callTasks(llvm::Function &function) {
  llvm::CallBase *makes =
      onlyCall(function, [](const llvm::Function &callee) { return callee.getName().starts_with(kMakesSetter); });
  llvm::CallBase *keeps = makes ? onlyCall(function, isKeeper) : nullptr;
  auto *kept = llvm::dyn_cast_or_null<llvm::CallInst>(keeps);
  llvm::Function *setter = kept && makes->arg_size() == 2 ? setterBehind(*kept->getCalledFunction()) : nullptr;
  llvm::CallBase *calls =
      setter ? onlyCall(*setter, [](const llvm::Function &callee) { return callee.getName().ends_with(kCallOperator); })
             : nullptr;
  llvm::Function *task = calls ? calls->getCalledFunction() : nullptr;
  if (!task || task->arg_size() != 1) return;
  llvm::CallInst *direct = llvm::IRBuilder<>(kept).CreateCall(task, {makes->getArgOperand(1)});
  direct->setDebugLoc(kept->getDebugLoc());
  kept->eraseFromParent();
}

} // namespace deadheat::extract
