#include "instrument/told.h"

#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include "instrument/reload.h"

namespace deadheat::instrument {

using llvm::Attribute;
using llvm::BasicBlock;
using llvm::cast;

namespace {

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
      keepStateInFrame();
      returnThroughFrame();
      enterAnywhere();
      for (unsigned k = 0; k < crossings_.list().size(); ++k) leaveAt(crossings_.list()[k], k + 1);
    }
    tellAccesses();
    return told_;
  }

private:
  void create(llvm::FunctionType *type) {
    told_ = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, plain_.getAddressSpace(),
                                   plain_.getName() + ".told", plain_.getParent());
    frame_ = crossings_.empty() ? nullptr : told_->getArg(0);
  }

  void copyBody() {
    llvm::CloneFunctionInto(told_, &plain_, copies_, llvm::CloneFunctionChangeType::LocalChangesOnly, returns_);
    setAttributes();
    for (BasicBlock &block : *told_)
      for (llvm::Instruction &instruction : block) instruction.dropDbgRecords(); // variables are shown in the plain body
  }

  void setAttributes() {
    llvm::AttrBuilder attributes(plain_.getContext(), plain_.getAttributes().getFnAttrs());
    for (auto kind : {Attribute::AlwaysInline, Attribute::InlineHint, Attribute::OptimizeForSize, Attribute::MinSize,
                      Attribute::OptimizeForDebugging, Attribute::Hot})
      attributes.removeAttribute(kind);
    for (auto kind : {Attribute::NoInline, Attribute::OptimizeNone, Attribute::Cold}) attributes.addAttribute(kind);
    llvm::AttributeList list = crossings_.empty() ? plain_.getAttributes() : llvm::AttributeList();
    told_->setAttributes(list.removeFnAttributes(plain_.getContext()).addFnAttributes(plain_.getContext(), attributes));
    told_->setCallingConv(crossings_.empty() ? plain_.getCallingConv() : llvm::CallingConv::C);
    told_->setDSOLocal(true);
    told_->setComdat(plain_.getComdat());
    if (told_->hasPrefixData()) told_->setPrefixData(nullptr);
    if (told_->hasPrologueData()) told_->setPrologueData(nullptr);
    llvm::DISubprogram *subprogram = told_->getSubprogram();
    told_->clearMetadata();
    told_->setSubprogram(subprogram);
    if (!told_->hasSection()) told_->setSectionPrefix("unlikely");
  }

  llvm::Value *copyOf(llvm::Value *value) const {
    llvm::Value *copy = copies_.lookup(value);
    return copy ? copy : value;
  }
  BasicBlock *copyOf(BasicBlock *block) const { return cast<BasicBlock>(copies_.lookup(block)); }

  // What the state is copied from until it is kept in the frame: the body cannot be copied with arguments that are not there.
  void loadArguments() {
    llvm::IRBuilder<> builder(entry_);
    for (llvm::Argument &argument : plain_.args())
      copies_[&argument] = builder.CreateLoad(argument.getType(), crossings_.valueField(builder, frame_, &argument));
  }

  auto fieldOf(const llvm::Value &value) const {
    return [this, &value](llvm::IRBuilder<> &builder) { return crossings_.valueField(builder, frame_, &value); };
  }

  void keepStateInFrame() {
    for (llvm::Argument &argument : plain_.args()) readWhereUsed(argument);
    for (llvm::AllocaInst *slot : crossings_.stackSlots()) readWhereUsed(*slot);
    for (const Crossing &crossing : crossings_.list())
      for (llvm::PHINode *phi : crossing.phis)
        keepInputsInMemory(*cast<llvm::PHINode>(copyOf(phi)),
                           [&](llvm::IRBuilder<> &builder) { return crossings_.phiField(builder, frame_, phi); });
    for (llvm::Instruction *value : crossings_.liveValues())
      keepInMemory(*cast<llvm::Instruction>(copyOf(value)), fieldOf(*value));
  }

  // Arguments and addresses of stack slots never change: they are not written, only read.
  void readWhereUsed(llvm::Value &original) {
    auto *copy = cast<llvm::Instruction>(copyOf(&original));
    reloadInOtherBlocks(*copy, nullptr, fieldOf(original));
    copy->eraseFromParent();
  }

  void returnThroughFrame() {
    for (llvm::ReturnInst *old : returns_) {
      llvm::IRBuilder<> builder(old);
      if (llvm::Value *result = old->getReturnValue()) builder.CreateStore(result, crossings_.resultField(builder, frame_));
      builder.CreateRet(builder.getInt32(0));
      old->eraseFromParent();
    }
  }

  void enterAnywhere() {
    // A block of its own: the fast instruction selector gives up on a whole block that ends in a switch.
    BasicBlock *choose = BasicBlock::Create(plain_.getContext(), "", told_);
    llvm::IRBuilder<> builder(entry_);
    builder.CreateBr(choose);
    builder.SetInsertPoint(choose);
    auto *choice = builder.CreateSwitch(told_->getArg(1), copyOf(&plain_.getEntryBlock()), crossings_.list().size());
    for (unsigned k = 0; k < crossings_.list().size(); ++k)
      choice->addCase(builder.getInt32(k + 1), copyOf(crossings_.list()[k].header));
  }

  void leaveAt(const Crossing &crossing, unsigned number) {
    BasicBlock *header = copyOf(crossing.header);
    BasicBlock *ask = BasicBlock::Create(plain_.getContext(), "", told_);
    BasicBlock *leave = BasicBlock::Create(plain_.getContext(), "", told_);
    llvm::IRBuilder<> builder(ask);
    builder.CreateCondBr(hooks_.call(builder, Hook::loop, {hooks_.functionSlot(late_.slot)}), header, leave);
    builder.SetInsertPoint(leave);
    builder.CreateRet(builder.getInt32(number));
    for (const LoopCheck &check : crossing.checks) copyOf(check.latch)->getTerminator()->replaceSuccessorWith(header, ask);
  }

  void tellAccesses() {
    for (const LateAccess &entry : late_.accesses) {
      ir::Access access = entry.access;
      access.instruction = cast<llvm::Instruction>(copyOf(access.instruction));
      for (llvm::Value **operand : {&access.address, &access.bytes, &access.mask}) *operand = operandOfCopy(entry.access, *operand);
      llvm::IRBuilder<> builder(access.instruction);
      hooks_.tell(builder, access, entry.slot);
    }
  }

  // Not simply the copy of the operand: that may live in the frame by now, and the instruction reads it from there.
  llvm::Value *operandOfCopy(const ir::Access &access, const llvm::Value *operand) const {
    if (!operand) return nullptr;
    auto *copy = cast<llvm::Instruction>(copyOf(access.instruction));
    for (unsigned i = 0; i < copy->getNumOperands(); ++i)
      if (access.instruction->getOperand(i) == operand) return copy->getOperand(i);
    llvm_unreachable("an access names operands of its instruction");
  }

  const LateFunction &late_;
  llvm::Function &plain_;
  const Crossings &crossings_;
  const Hooks &hooks_;
  llvm::Function *told_ = nullptr;
  llvm::Value *frame_ = nullptr;
  BasicBlock *entry_ = nullptr;
  llvm::ValueToValueMapTy copies_;
  llvm::SmallVector<llvm::ReturnInst *, 4> returns_;
};

} // namespace

llvm::Function *makeTold(const LateFunction &late, const Crossings &crossings, const Hooks &hooks) {
  return Told(late, crossings, hooks).make();
}

} // namespace deadheat::instrument
