#include "instrument/one_body.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include "instrument/guard.h"

namespace deadheat::instrument {

using llvm::BasicBlock;
using llvm::Instruction;

namespace {

class OneBody {
public:
  OneBody(const LateFunction &late, const Hooks &hooks) : late_(late), function_(*late.function), hooks_(hooks) {}

  // Loops are found before blocks are split.
  void rewrite() {
    llvm::SmallVector<BasicBlock *, 8> loops = loopHeaders();
    Instruction *start = &*function_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
    makeSlot();
    askAt(start, Hook::enter);
    for (BasicBlock *header : loops) askAt(&*header->getFirstInsertionPt(), Hook::loop);
    tellAccesses();
    breakPromises(function_);
  }

private:
  llvm::SmallVector<BasicBlock *, 8> loopHeaders() const {
    llvm::SmallVector<std::pair<const BasicBlock *, const BasicBlock *>, 8> edges;
    llvm::FindFunctionBackedges(function_, edges);
    llvm::SmallSetVector<BasicBlock *, 8> headers;
    for (auto [latch, header] : edges) headers.insert(const_cast<BasicBlock *>(header));
    return headers.takeVector();
  }

  void makeSlot() {
    llvm::IRBuilder<> builder(&*function_.getEntryBlock().begin());
    slot_ = builder.CreateAlloca(builder.getInt8Ty());
  }

  void askAt(Instruction *where, Hook hook) {
    llvm::IRBuilder<> builder(where);
    llvm::Value *active = hooks_.isActive(builder);
    if (hook == Hook::enter) builder.CreateStore(builder.CreateZExt(active, builder.getInt8Ty()), slot_);
    builder.SetInsertPoint(ifRarely(active, where));
    llvm::Value *arguments[] = {hooks_.functionSlot(late_.slot), returnSlot(builder)};
    llvm::Value *answer = hooks_.call(builder, hook, arguments, plainConvention(function_));
    builder.CreateStore(builder.CreateZExt(answer, builder.getInt8Ty()), slot_);
  }

  // One test for all accesses of an instruction.
  void tellAccesses() {
    Instruction *tested = nullptr, *end = nullptr;
    for (const LateAccess &entry : late_.accesses) {
      if (isSync(entry.access)) {
        guardSync(entry, hooks_);
        continue;
      }
      if (entry.access.instruction != tested) {
        tested = entry.access.instruction;
        llvm::IRBuilder<> builder(tested);
        end = ifRarely(builder.CreateIsNotNull(builder.CreateLoad(builder.getInt8Ty(), slot_)), tested);
      }
      llvm::IRBuilder<> builder(end);
      hooks_.tell(builder, entry.access, entry.slot);
    }
  }

  const LateFunction &late_;
  llvm::Function &function_;
  const Hooks &hooks_;
  llvm::AllocaInst *slot_ = nullptr; // not zero: tell
};

} // namespace

void askInOneBody(const LateFunction &late, const Hooks &hooks) { OneBody(late, hooks).rewrite(); }

} // namespace deadheat::instrument
