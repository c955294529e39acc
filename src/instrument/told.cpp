#include "instrument/told.h"

#include "llvm/IR/Module.h"

#include "instrument/copy.h"
#include "instrument/doors.h"
#include "instrument/simple_words.h"

namespace deadheat::instrument {

using llvm::Attribute;
using llvm::BasicBlock;
using llvm::cast;

namespace {

// What the code generator does at the start or end of a function, or says about its frame: the plain body has it.
constexpr const char *kOncePerCall[] = {"fentry-call", "function-instrument", "instrument-function-entry-inlined",
                                        "instrument-function-exit-inlined", "warn-stack-size"};

class Told {
public:
  Told(const LateFunction &late, const Crossings &crossings, const Hooks &hooks)
      : late_(late), plain_(*late.function), crossings_(crossings), hooks_(hooks) {}

  llvm::Function *make() {
    if (crossings_.empty()) {
      create(plain_.getFunctionType());
      for (auto [from, to] : llvm::zip(plain_.args(), told_->args())) copies_[&from] = &to;
      copyBody();
    } else {
      llvm::LLVMContext &context = plain_.getContext();
      auto *word = llvm::Type::getInt32Ty(context);
      create(llvm::FunctionType::get(word, {llvm::PointerType::get(context, 0), word}, false));
      entry_ = BasicBlock::Create(context, "", told_);
      loadArguments();
      copyBody();
      shareStackSlots();
      returnThroughFrame();
    }
    if (!crossings_.empty()) openDoors();
    tellAccesses();
    useSimpleWords(*told_);
    return told_;
  }

private:
  void create(llvm::FunctionType *type) {
    told_ = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, plain_.getAddressSpace(),
                                   plain_.getName() + ".told", plain_.getParent());
    frame_ = crossings_.empty() ? nullptr : told_->getArg(0);
  }

  void copyBody() {
    setAttributes();
    copyBlocks(plain_, *told_, copies_);
  }

  void setAttributes() {
    told_->copyAttributesFrom(&plain_); // and the personality, the section
    told_->setVisibility(llvm::GlobalValue::DefaultVisibility);
    told_->setDLLStorageClass(llvm::GlobalValue::DefaultStorageClass);
    llvm::AttrBuilder attributes(plain_.getContext(), plain_.getAttributes().getFnAttrs());
    for (auto kind : {Attribute::AlwaysInline, Attribute::InlineHint, Attribute::OptimizeForSize, Attribute::MinSize,
                      Attribute::OptimizeForDebugging, Attribute::Hot})
      attributes.removeAttribute(kind);
    for (auto kind : {Attribute::NoInline, Attribute::OptimizeNone, Attribute::Cold}) attributes.addAttribute(kind);
    for (const char *name : kOncePerCall) attributes.removeAttribute(name);
    if (!crossings_.empty()) // these speak of the function's own signature and of its returns
      for (auto kind : {Attribute::NoReturn, Attribute::AllocSize, Attribute::AllocKind})
        attributes.removeAttribute(kind);
    llvm::AttributeList list = crossings_.empty() ? plain_.getAttributes() : llvm::AttributeList();
    told_->setAttributes(list.removeFnAttributes(plain_.getContext()).addFnAttributes(plain_.getContext(), attributes));
    told_->setCallingConv(crossings_.empty() ? plain_.getCallingConv() : llvm::CallingConv::C);
    told_->setDSOLocal(true);
    told_->setComdat(plain_.getComdat());
    if (told_->hasPrefixData()) told_->setPrefixData(nullptr);
    if (told_->hasPrologueData()) told_->setPrologueData(nullptr);
    setDebugInfo();
    if (!told_->hasSection()) told_->setSectionPrefix("unlikely");
  }

  // Lines, and a name of its own for those who look at addresses. Its variables are shown in the plain body alone.
  void setDebugInfo() {
    const llvm::DISubprogram *original = plain_.getSubprogram();
    if (!original) return;
    llvm::DISubprogram *subprogram = llvm::MDNode::replaceWithDistinct(original->clone());
    told_->setSubprogram(subprogram);
    subprogram->replaceLinkageName(llvm::MDString::get(plain_.getContext(), told_->getName()));
    subprogram->replaceRetainedNodes(llvm::MDNode::get(plain_.getContext(), {}));
  }

  llvm::Value *copyOf(llvm::Value *value) const {
    llvm::Value *copy = copies_.lookup(value);
    return copy ? copy : value;
  }
  BasicBlock *copyOf(BasicBlock *block) const { return cast<BasicBlock>(copies_.lookup(block)); }

  // One that does not live where the body is entered is read all the same, and not used.
  void loadArguments() {
    llvm::IRBuilder<> builder(entry_);
    for (llvm::Argument &argument : plain_.args())
      copies_[&argument] = builder.CreateLoad(argument.getType(), crossings_.valueField(builder, frame_, &argument));
  }

  void shareStackSlots() {
    llvm::IRBuilder<> builder(entry_);
    for (llvm::AllocaInst *slot : crossings_.stackSlots()) {
      auto *copy = cast<llvm::AllocaInst>(copyOf(slot));
      copies_[slot] = builder.CreateLoad(slot->getType(), crossings_.valueField(builder, frame_, slot));
      copy->replaceAllUsesWith(copies_[slot]);
      copy->eraseFromParent();
    }
  }

  void returnThroughFrame() {
    for (BasicBlock &block : *told_) {
      auto *old = llvm::dyn_cast_or_null<llvm::ReturnInst>(block.getTerminator()); // the first block has none yet
      if (!old) continue;
      llvm::IRBuilder<> builder(old);
      if (llvm::Value *result = old->getReturnValue())
        builder.CreateStore(result, crossings_.resultField(builder, frame_));
      builder.CreateRet(builder.getInt32(kDone));
      old->eraseFromParent();
    }
  }

  BasicBlock *newBlock() { return BasicBlock::Create(plain_.getContext(), "", told_); }

  // Goes on at `where`. Returns the choice among crossings, to be filled.
  llvm::SwitchInst *enter() {
    llvm::Value *where = told_->getArg(1);
    BasicBlock *nowhere = newBlock();
    BasicBlock *choose =
        newBlock(); // of its own: the fast instruction selector gives up on a block that ends in a switch
    llvm::IRBuilder<> builder(entry_);
    returnSlot_ = builder.CreateLoad(builder.getPtrTy(), crossings_.returnSlotField(builder, frame_));
    builder.CreateCondBr(builder.CreateIsNull(where), copyOf(&plain_.getEntryBlock()), choose);
    builder.SetInsertPoint(nowhere);
    builder.CreateUnreachable();
    builder.SetInsertPoint(choose);
    return builder.CreateSwitch(where, nowhere, crossings_.list().size());
  }

  void openDoors() {
    llvm::SwitchInst *choice = enter();
    Doors doors(*told_, crossings_, frame_, [this](llvm::Value *value) { return copyOf(value); });
    unsigned number = 0;
    for (const Crossing &crossing : crossings_.list()) {
      ++number;
      for (const LoopCheck &check : crossing.checks) leaveAt(check, crossing, number, doors);
      BasicBlock *resume = newBlock();
      choice->addCase(llvm::ConstantInt::get(llvm::Type::getInt32Ty(plain_.getContext()), number), resume);
      doors.resume(resume, crossing);
    }
    doors.merge();
  }

  void leaveAt(const LoopCheck &check, const Crossing &crossing, unsigned number, Doors &doors) {
    BasicBlock *back = newBlock(), *leave = newBlock();
    llvm::IRBuilder<> builder(leave);
    doors.save(builder, check, crossing, /*withArguments=*/false);
    builder.CreateRet(builder.getInt32(number));
    builder.SetInsertPoint(back);
    builder.CreateCondBr(hooks_.call(builder, Hook::loop, {hooks_.functionSlot(late_.slot), returnSlot_}),
                         copyOf(crossing.header), leave);
    doors.putOnBackEdge(check, crossing, back, {back});
  }

  void tellAccesses() {
    for (const LateAccess &entry : late_.accesses) {
      ir::Access access = entry.access;
      auto *copy = cast<llvm::Instruction>(copyOf(access.instruction));
      for (llvm::Value **operand : {&access.address, &access.bytes, &access.mask})
        *operand = sameOperand(*access.instruction, *operand, *copy);
      access.instruction = copy;
      llvm::IRBuilder<> builder(copy);
      hooks_.tell(builder, access, entry.slot);
    }
  }

  // What `copy` has where the original has `operand`. A constant is the same in both, and need not be an operand.
  static llvm::Value *sameOperand(const llvm::Instruction &original, llvm::Value *operand,
                                  const llvm::Instruction &copy) {
    if (!operand || llvm::isa<llvm::Constant>(operand)) return operand;
    unsigned index = 0;
    while (original.getOperand(index) != operand) ++index;
    return copy.getOperand(index);
  }

  const LateFunction &late_;
  llvm::Function &plain_;
  const Crossings &crossings_;
  const Hooks &hooks_;
  llvm::Function *told_ = nullptr;
  llvm::Value *frame_ = nullptr;
  llvm::Value *returnSlot_ = nullptr; // the plain function's
  BasicBlock *entry_ = nullptr;
  CopyMap copies_;
};

} // namespace

llvm::Function *makeTold(const LateFunction &late, const Crossings &crossings, const Hooks &hooks) {
  return Told(late, crossings, hooks).make();
}

} // namespace deadheat::instrument
