#include "instrument/plain.h"

#include "llvm/IR/MDBuilder.h"

#include "instrument/bodies.h"
#include "instrument/doors.h"
#include "instrument/told.h"

namespace deadheat::instrument {

using llvm::BasicBlock;
using llvm::cast;
using llvm::dyn_cast;

namespace {

// Instructions: in a longer function the question is not felt, only the time to compile it.
constexpr unsigned kShort = 20;

class Plain {
public:
  Plain(const LateFunction &late, const Crossings &crossings, llvm::Function &told, const Hooks &hooks)
      : function_(*late.function), crossings_(crossings), told_(told), hooks_(hooks), slot_(late.slot),
        countsItself_(hooks.countsPauses() && function_.getInstructionCount() <= kShort) {}

  void rewrite() {
    splitEntry();
    if (crossings_.empty()) return askAtEntry(tailCallTold());
    makeFrame();
    makeCross();
    askAtEntry(saveArguments());
    Doors doors(function_, crossings_, frame_, [](llvm::Value *value) { return value; });
    unsigned number = 0;
    for (const Crossing &crossing : crossings_.list()) {
      ++number;
      for (const LoopCheck &check : crossing.checks) askAt(check, crossing, number, doors);
      BasicBlock *resume = newBlock("resume");
      goOn_->addCase(llvm::ConstantInt::get(word(), number), resume);
      doors.resume(resume, crossing);
    }
    doors.merge();
  }

private:
  llvm::LLVMContext &context() const { return function_.getContext(); }
  llvm::IntegerType *word() const { return llvm::Type::getInt32Ty(context()); }
  BasicBlock *newBlock(const char *name, BasicBlock *before = nullptr) {
    return BasicBlock::Create(context(), name, &function_, before);
  }
  llvm::MDNode *rarely() const { return llvm::MDBuilder(context()).createBranchWeights(1, kRarely); }

  // Stack slots are shared by both bodies, so they stay in front of the choice.
  void splitEntry() {
    BasicBlock &entry = function_.getEntryBlock();
    llvm::Instruction *first = &*entry.getFirstNonPHIOrDbgOrAlloca();
    llvm::SmallVector<llvm::AllocaInst *, 8> slots;
    for (llvm::Instruction &instruction : llvm::make_range(first->getIterator(), entry.end()))
      if (auto *slot = dyn_cast<llvm::AllocaInst>(&instruction); slot && slot->isStaticAlloca()) slots.push_back(slot);
    for (llvm::AllocaInst *slot : slots) slot->moveBefore(first);
    body_ = entry.splitBasicBlock(first);
  }

  void askAtEntry(BasicBlock *told) {
    BasicBlock &entry = function_.getEntryBlock();
    entry.getTerminator()->eraseFromParent();
    llvm::IRBuilder<> builder(&entry);
    BasicBlock *ask = countsItself_ ? countAtEntry(told) : this->ask(Hook::enter, told, body_);
    builder.CreateCondBr(hooks_.isActive(builder), ask, body_, rarely());
  }

  // Most calls end here, without a question (abi/near.h).
  BasicBlock *countAtEntry(BasicBlock *told) {
    BasicBlock *look = newBlock("ask"), *count = newBlock("count"), *call = newBlock("call");
    llvm::IRBuilder<> builder(look);
    llvm::Value *near = hooks_.nearWord(builder);
    builder.CreateCondBr(builder.CreateIsNull(near), call, count, rarely());
    builder.SetInsertPoint(count);
    builder.CreateCondBr(hooks_.countDown(builder, near, slot_), call, body_, rarely());
    builder.SetInsertPoint(call);
    builder.CreateCondBr(hooks_.enter(builder, slot_, plainConvention(function_)), told, body_);
    return look;
  }

  // Before any state is stored: where a runtime is attached, the answer is to stay plain nearly always.
  BasicBlock *ask(Hook hook, BasicBlock *told, BasicBlock *plain) {
    BasicBlock *block = newBlock("ask");
    llvm::IRBuilder<> builder(block);
    builder.CreateCondBr(hooks_.ask(builder, hook, slot_, plainConvention(function_)), told, plain);
    return block;
  }

  BasicBlock *tailCallTold() {
    BasicBlock *block = newBlock("told");
    llvm::IRBuilder<> builder(block);
    llvm::SmallVector<llvm::Value *, 8> arguments;
    for (llvm::Argument &argument : function_.args()) arguments.push_back(&argument);
    llvm::CallInst *call = callTold(builder, arguments);
    call->setCallingConv(told_.getCallingConv());
    call->setAttributes(told_.getAttributes().removeFnAttributes(context()));
    call->setTailCallKind(canJumpToTold(function_) ? llvm::CallInst::TCK_MustTail : llvm::CallInst::TCK_None);
    if (function_.getReturnType()->isVoidTy())
      builder.CreateRetVoid();
    else
      builder.CreateRet(call);
    return block;
  }

  llvm::CallInst *callTold(llvm::IRBuilder<> &builder, llvm::ArrayRef<llvm::Value *> arguments) {
    llvm::CallInst *call = builder.CreateCall(&told_, arguments);
    if (llvm::DISubprogram *subprogram = function_.getSubprogram())
      call->setDebugLoc(llvm::DILocation::get(context(), subprogram->getLine(), 0, subprogram));
    return call;
  }

  void makeFrame() {
    llvm::IRBuilder<> builder(&*function_.getEntryBlock().begin());
    frame_ = builder.CreateAlloca(crossings_.frameType(), nullptr, "frame");
    function_.removeFnAttr("warn-stack-size"); // the limit was meant for a stack frame without ours
  }

  // The one place that calls the told body.
  void makeCross() {
    cross_ = newBlock("cross");
    BasicBlock *done = newBlock("done");
    llvm::IRBuilder<> builder(cross_);
    where_ = builder.CreatePHI(word(), crossings_.list().size() + 1);
    builder.CreateStore(returnSlot(builder), crossings_.returnSlotField(builder, frame_));
    for (llvm::AllocaInst *slot : crossings_.stackSlots())
      builder.CreateStore(slot, crossings_.valueField(builder, frame_, slot));
    llvm::CallInst *call = callTold(builder, {frame_, where_});
    if (function_.doesNotThrow()) call->setDoesNotThrow();
    BasicBlock *choose = newBlock("choose"); // a block of its own, as in told.cpp
    builder.CreateBr(choose);
    builder.SetInsertPoint(choose);
    goOn_ = builder.CreateSwitch(call, done, crossings_.list().size());
    builder.SetInsertPoint(done);
    llvm::Type *result = function_.getReturnType();
    if (result->isVoidTy())
      builder.CreateRetVoid();
    else
      builder.CreateRet(builder.CreateLoad(result, crossings_.resultField(builder, frame_)));
  }

  void crossFrom(llvm::IRBuilder<> &builder, unsigned where) {
    where_->addIncoming(builder.getInt32(where), builder.GetInsertBlock());
    builder.CreateBr(cross_);
  }

  BasicBlock *saveArguments() {
    llvm::IRBuilder<> builder(newBlock("save"));
    for (llvm::Argument &argument : function_.args())
      if (!argument.use_empty()) builder.CreateStore(&argument, crossings_.valueField(builder, frame_, &argument));
    BasicBlock *block = builder.GetInsertBlock();
    crossFrom(builder, 0);
    return block;
  }

  void askAt(const LoopCheck &check, const Crossing &crossing, unsigned number, Doors &doors) {
    BasicBlock *save = newBlock("save");
    llvm::IRBuilder<> builder(save);
    doors.save(builder, check, crossing, /*withArguments=*/true);
    crossFrom(builder, number);

    BasicBlock *test = newBlock("back", check.latch->getNextNode());
    llvm::SmallVector<BasicBlock *, 3> sources{test};
    builder.SetInsertPoint(test);
    if (check.counter) {
      BasicBlock *stretch = newBlock("stretch");
      sources.push_back(stretch);
      llvm::MDNode *oncePerStretch = llvm::MDBuilder(context()).createBranchWeights(1, 1u << kStretchBits);
      builder.CreateCondBr(isStretchOver(builder, check), stretch, check.header, oncePerStretch);
      builder.SetInsertPoint(stretch);
    }
    sources.push_back(ask(Hook::loop, save, check.header));
    builder.CreateCondBr(hooks_.isActive(builder), sources.back(), check.header, rarely());
    doors.putOnBackEdge(check, crossing, test, sources);
  }

  static llvm::Value *isStretchOver(llvm::IRBuilder<> &builder, const LoopCheck &check) {
    llvm::Value *counter = check.counter;
    if (counter->getType()->isPointerTy()) counter = builder.CreatePtrToInt(counter, builder.getInt64Ty());
    llvm::Value *mask = llvm::ConstantInt::get(counter->getType(), check.mask);
    return builder.CreateIsNull(builder.CreateAnd(counter, mask));
  }

  llvm::Function &function_;
  const Crossings &crossings_;
  llvm::Function &told_;
  const Hooks &hooks_;
  uint32_t slot_;
  bool countsItself_;
  BasicBlock *body_ = nullptr;
  llvm::Value *frame_ = nullptr;
  BasicBlock *cross_ = nullptr;
  llvm::PHINode *where_ = nullptr;
  llvm::SwitchInst *goOn_ = nullptr;
};

} // namespace

void askInPlain(const LateFunction &late, const Crossings &crossings, llvm::Function &told, const Hooks &hooks) {
  Plain(late, crossings, told, hooks).rewrite();
}

} // namespace deadheat::instrument
