#include "extract/inline_wrappers.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

#include "ir/site.h"
#include "ir/system_code.h"

namespace deadheat::extract {

using llvm::dyn_cast;

namespace {

constexpr unsigned kMaxGrowth = 6000; // instructions that one function may gain
constexpr unsigned kMaxRounds = 16;   // wrappers inside wrappers
constexpr unsigned kMaxHelper = 60;   // instructions of a library function that reaches no synchronisation
constexpr llvm::StringRef kConditionWait = "_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE";
constexpr char kHeldName[] = "deadheat.held";
constexpr char kNoAccessName[] = "deadheat.none";

const llvm::AllocaInst *stackObject(const llvm::Value *pointer) {
  return dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer));
}

class Inliner {
public:
  Inliner(llvm::Function &function, const Wrappers &wrappers) : function_(function), wrappers_(wrappers) {}

  // Round by round: what was inlined in one may call what is inlined in the next.
  bool run() {
    bool changed = false;
    for (unsigned round = 0; round < kMaxRounds; ++round) {
      findGuards();
      llvm::SmallVector<llvm::CallBase *, 16> calls;
      for (llvm::Instruction &instruction : llvm::instructions(function_))
        if (auto *call = dyn_cast<llvm::CallBase>(&instruction); call && isWanted(*call)) calls.push_back(call);
      bool progress = false;
      for (llvm::CallBase *call : calls) progress |= inlineOne(*call);
      if (!progress) break;
      changed = true;
    }
    return changed;
  }

private:
  // Objects on the stack that a wrapper works on: all that is done to them should be seen.
  void findGuards() {
    for (const llvm::Instruction &instruction : llvm::instructions(function_)) {
      const auto *call = dyn_cast<llvm::CallBase>(&instruction);
      const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
      if (!callee || !wrappers_.contains(*callee)) continue;
      for (const llvm::Value *argument : call->args())
        if (argument->getType()->isPointerTy())
          if (const llvm::AllocaInst *object = stackObject(argument)) guards_.insert(object);
    }
  }

  bool isWanted(const llvm::CallBase &call) const {
    const llvm::Function *callee = call.getCalledFunction();
    if (!callee || callee->isDeclaration() || callee == &function_ || Wrappers::isLeftAsItIs(*callee)) return false;
    if (wrappers_.contains(*callee)) return true;
    if (!ir::isLibraryFunction(*callee) || callee->getInstructionCount() > kMaxHelper) return false;
    if (isInlined(call)) return true;
    return llvm::any_of(call.args(), [&](const llvm::Value *argument) {
      return argument->getType()->isPointerTy() && guards_.contains(stackObject(argument));
    });
  }

  static bool isInlined(const llvm::CallBase &call) {
    const llvm::DILocation *location = call.getDebugLoc();
    return location && location->getInlinedAt();
  }

  // How often the callee is on the way to this call already.
  static bool isRecursive(const llvm::CallBase &call, const llvm::Function &callee) {
    const llvm::DISubprogram *subprogram = callee.getSubprogram();
    for (const llvm::DILocation *at = call.getDebugLoc(); at; at = at->getInlinedAt())
      if (subprogram && at->getScope()->getSubprogram() == subprogram) return true;
    return false;
  }

  bool inlineOne(llvm::CallBase &call) {
    llvm::Function &callee = *call.getCalledFunction();
    unsigned size = callee.getInstructionCount();
    if (growth_ + size > kMaxGrowth || isRecursive(call, callee)) return false;
    llvm::InlineFunctionInfo info;
    bool done =
        llvm::InlineFunction(call, info, /*MergeAttributes=*/false, nullptr, /*InsertLifetime=*/false).isSuccess();
    if (done) growth_ += size;
    return done;
  }

  llvm::Function &function_;
  const Wrappers &wrappers_;
  llvm::SmallPtrSet<const llvm::AllocaInst *, 8> guards_;
  unsigned growth_ = 0;
};

// std::condition_variable::wait is not inline, and takes the guard: it is given the mutex, which the guard holds first,
// as pthread_cond_wait is. So the guard need not stay in memory.
void unwrapConditionWaits(llvm::Function &function) {
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    auto *call = dyn_cast<llvm::CallBase>(&instruction);
    const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || callee->getName() != kConditionWait || !stackObject(call->getArgOperand(1))) continue;
    llvm::IRBuilder<> builder(call);
    call->setArgOperand(1, builder.CreateLoad(builder.getPtrTy(), call->getArgOperand(1)));
  }
}

bool isNumbered(const llvm::Instruction &instruction) {
  return ir::numberOf(instruction, 0).valid() || ir::numberOf(instruction, 1).valid();
}

void mark(llvm::Instruction &instruction, const char *name) {
  instruction.setMetadata(name, llvm::MDNode::get(instruction.getContext(), {}));
}

void markWhatIsNoAccess(llvm::Function &function) {
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (instruction.mayReadOrWriteMemory() && !isNumbered(instruction)) mark(instruction, kNoAccessName);
}

// An optimisation would take two reads for one, or a write that is overwritten away. Volatile ones it leaves alone.
class HeldAccesses {
public:
  explicit HeldAccesses(llvm::Function &function) : function_(function) {
    for (llvm::Instruction &instruction : llvm::instructions(function_))
      if (isNumbered(instruction)) hold(instruction);
  }
  ~HeldAccesses() {
    for (llvm::Instruction &instruction : llvm::instructions(function_))
      if (instruction.getMetadata(kHeldName)) setVolatile(instruction, false);
  }

private:
  void hold(llvm::Instruction &instruction) {
    const llvm::Value *address = llvm::getLoadStorePointerOperand(&instruction);
    if (!address || instruction.isVolatile() || stackObject(address)) return;
    setVolatile(instruction, true);
    mark(instruction, kHeldName);
  }

  static void setVolatile(llvm::Instruction &instruction, bool isVolatile) {
    if (auto *load = dyn_cast<llvm::LoadInst>(&instruction)) load->setVolatile(isVolatile);
    if (auto *store = dyn_cast<llvm::StoreInst>(&instruction)) store->setVolatile(isVolatile);
  }

  llvm::Function &function_;
};

template <typename Pass> void runPass(Pass pass, llvm::Function &function, llvm::FunctionAnalysisManager &analyses) {
  analyses.invalidate(function, pass.run(function, analyses));
}

void cleanUp(llvm::Function &function, llvm::FunctionAnalysisManager &analyses) {
  markWhatIsNoAccess(function);
  runPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG), function, analyses);
  HeldAccesses held(function);
  // The second time for what became constant when blocks were merged.
  for (int round = 0; round < 2; ++round) {
    runPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/false), function, analyses);
    runPass(llvm::SimplifyCFGPass(), function, analyses);
  }
}

} // namespace

void promoteVariables(llvm::Function &function) {
  llvm::SmallVector<llvm::AllocaInst *, 16> slots;
  for (llvm::Instruction &instruction : function.getEntryBlock())
    if (auto *slot = llvm::dyn_cast<llvm::AllocaInst>(&instruction); slot && llvm::isAllocaPromotable(slot))
      slots.push_back(slot);
  if (slots.empty()) return;
  llvm::DominatorTree dominators(function);
  llvm::PromoteMemToReg(slots, dominators);
}

bool inlineWrappers(llvm::Function &function, const Wrappers &wrappers, llvm::FunctionAnalysisManager &analyses) {
  if (!Inliner(function, wrappers).run()) return false;
  // No access may be moved to where the source has none; in extract mode nothing has said so yet.
  function.addFnAttr(llvm::Attribute::SanitizeThread);
  promoteVariables(function); // through which the parameters of what was inlined come
  unwrapConditionWaits(function);
  cleanUp(function, analyses);
  return true;
}

bool wasNoAccess(const llvm::Instruction &instruction) { return instruction.getMetadata(kNoAccessName) != nullptr; }

} // namespace deadheat::extract
