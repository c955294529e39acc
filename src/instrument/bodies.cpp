#include "instrument/bodies.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include "instrument/merge.h"

namespace deadheat::instrument {

using llvm::BasicBlock;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

namespace {

constexpr uint32_t kRarely = 1u << 20; // to one

llvm::MDNode *weights(llvm::LLVMContext &context, uint32_t yes, uint32_t no) {
  return llvm::MDBuilder(context).createBranchWeights(yes, no);
}

class TwoBodies {
public:
  TwoBodies(const LateFunction &late, const Hooks &hooks)
      : late_(late), function_(*late.function), hooks_(hooks), slot_(hooks.functionSlot(late.slot)) {}

  void make(const std::vector<LoopCheck> &checks) {
    splitEntry();
    copyBody();
    ValueMerge merge(bodies_, copies_);
    for (const LoopCheck &check : checks) merge.watch(check.header);
    merge.findLiveValues();
    tellAccesses();
    dispatchAtEntry();
    for (const LoopCheck &check : checks) cross(check);
    merge.repair(function_);
  }

private:
  // Stack slots are shared, so they stay in front of the choice.
  void splitEntry() {
    BasicBlock &entry = function_.getEntryBlock();
    llvm::Instruction *first = &*entry.getFirstNonPHIOrDbgOrAlloca();
    llvm::SmallVector<llvm::AllocaInst *, 8> slots;
    for (llvm::Instruction &instruction : llvm::make_range(first->getIterator(), entry.end()))
      if (auto *slot = dyn_cast<llvm::AllocaInst>(&instruction); slot && slot->isStaticAlloca()) slots.push_back(slot);
    for (llvm::AllocaInst *slot : slots) {
      if (slot == first) first = slot->getNextNode();
      slot->moveBefore(first);
    }
    plainEntry_ = entry.splitBasicBlock(first, "plain");
    for (BasicBlock &block : function_)
      if (&block != &entry) bodies_.push_back(&block);
  }

  void copyBody() {
    llvm::SmallVector<BasicBlock *, 16> copies;
    for (BasicBlock *block : bodies_) {
      BasicBlock *copy = llvm::CloneBasicBlock(block, copies_, ".told", &function_);
      copies_[block] = copy;
      copies.push_back(copy);
    }
    for (BasicBlock *copy : copies) dropDeclares(*copy);
    llvm::remapInstructionsInBlocks(copies, copies_);
  }

  // A variable's home on the stack is said once per function.
  static void dropDeclares(BasicBlock &block) {
    for (llvm::Instruction &instruction : block)
      for (llvm::DbgRecord &record : llvm::make_early_inc_range(instruction.getDbgRecordRange()))
        if (auto *variable = dyn_cast<llvm::DbgVariableRecord>(&record); variable && variable->isDbgDeclare())
          variable->eraseFromParent();
  }

  void tellAccesses() {
    for (const LateAccess &entry : late_.accesses) {
      ir::Access access = entry.access;
      access.instruction = cast<llvm::Instruction>(copyOf(access.instruction));
      if (access.address) access.address = copyOf(access.address);
      if (access.bytes) access.bytes = copyOf(access.bytes);
      if (access.mask) access.mask = copyOf(access.mask);
      llvm::IRBuilder<> builder(access.instruction);
      hooks_.tell(builder, access, entry.slot);
    }
  }

  llvm::Value *copyOf(llvm::Value *value) const {
    llvm::Value *copy = copies_.lookup(value);
    return copy ? copy : value;
  }
  BasicBlock *copyOf(BasicBlock *block) const { return cast<BasicBlock>(copies_.lookup(block)); }

  BasicBlock *newBlock(const char *name, BasicBlock *before) {
    return BasicBlock::Create(function_.getContext(), name, &function_, before);
  }

  void dispatchAtEntry() {
    BasicBlock &entry = function_.getEntryBlock();
    BasicBlock *ask = newBlock("ask", nullptr);
    BasicBlock *told = copyOf(plainEntry_);
    entry.getTerminator()->eraseFromParent();
    llvm::IRBuilder<> builder(&entry);
    builder.CreateCondBr(hooks_.isActive(builder), ask, plainEntry_, weights(builder.getContext(), 1, kRarely));
    builder.SetInsertPoint(ask);
    builder.CreateCondBr(hooks_.call(builder, Hook::enter, {slot_}), told, plainEntry_);
  }

  // One back edge of both bodies, joined.
  void cross(const LoopCheck &check) {
    BasicBlock *header = check.header, *toldHeader = copyOf(header);
    BasicBlock *latch = check.latch, *toldLatch = copyOf(latch);
    BasicBlock *test = newBlock("back", latch->getNextNode());
    BasicBlock *ask = newBlock("ask", nullptr);
    BasicBlock *toldAsk = newBlock("back.told", nullptr);

    llvm::SmallVector<BasicBlock *, 3> plainSources{test, ask};
    llvm::IRBuilder<> builder(test);
    if (check.counter) {
      BasicBlock *stretch = newBlock("stretch", nullptr);
      plainSources.push_back(stretch);
      builder.CreateCondBr(isStretchOver(builder, check), stretch, header, weights(builder.getContext(), 1, 1u << kStretchBits));
      builder.SetInsertPoint(stretch);
    }
    builder.CreateCondBr(hooks_.isActive(builder), ask, header, weights(builder.getContext(), 1, kRarely));
    builder.SetInsertPoint(ask);
    builder.CreateCondBr(hooks_.call(builder, Hook::loop, {slot_}), toldHeader, header);
    builder.SetInsertPoint(toldAsk);
    builder.CreateCondBr(hooks_.call(builder, Hook::loop, {slot_}), toldHeader, header);

    redirect(*latch, header, test);
    redirect(*toldLatch, toldHeader, toldAsk);
    for (llvm::PHINode &phi : header->phis()) {
      auto &toldPhi = *cast<llvm::PHINode>(copyOf(&phi));
      llvm::Value *plainValue = takeIncoming(phi, latch), *toldValue = takeIncoming(toldPhi, toldLatch);
      for (BasicBlock *source : plainSources) phi.addIncoming(plainValue, source);
      phi.addIncoming(toldValue, toldAsk);
      toldPhi.addIncoming(plainValue, ask);
      toldPhi.addIncoming(toldValue, toldAsk);
    }
  }

  static llvm::Value *isStretchOver(llvm::IRBuilder<> &builder, const LoopCheck &check) {
    llvm::Value *counter = check.counter;
    if (counter->getType()->isPointerTy()) counter = builder.CreatePtrToInt(counter, builder.getInt64Ty());
    llvm::Value *mask = llvm::ConstantInt::get(counter->getType(), check.mask);
    return builder.CreateIsNull(builder.CreateAnd(counter, mask));
  }

  // All edges from -> to (a switch may have several) now lead to `via`.
  static void redirect(BasicBlock &from, BasicBlock *to, BasicBlock *via) {
    llvm::Instruction *terminator = from.getTerminator();
    for (unsigned i = 0; i < terminator->getNumSuccessors(); ++i)
      if (terminator->getSuccessor(i) == to) terminator->setSuccessor(i, via);
  }

  static llvm::Value *takeIncoming(llvm::PHINode &phi, BasicBlock *source) {
    llvm::Value *value = phi.getIncomingValueForBlock(source);
    phi.removeIncomingValueIf([&](unsigned i) { return phi.getIncomingBlock(i) == source; }, /*DeletePHIIfEmpty=*/false);
    return value;
  }

  const LateFunction &late_;
  llvm::Function &function_;
  const Hooks &hooks_;
  llvm::Constant *slot_;
  BasicBlock *plainEntry_ = nullptr;
  llvm::SmallVector<BasicBlock *, 16> bodies_; // the plain blocks
  llvm::ValueToValueMapTy copies_;
};

// Inline assembly may be copied by any optimisation, but some of it defines labels and is never copied in practice.
bool definesLabel(const llvm::InlineAsm &assembly) {
  llvm::StringRef text = assembly.getAsmString();
  for (size_t colon = text.find(':'); colon != llvm::StringRef::npos; colon = text.find(':', colon + 1)) {
    size_t begin = colon;
    while (begin > 0 && (llvm::isAlnum(text[begin - 1]) || llvm::StringRef("_.$").contains(text[begin - 1]))) --begin;
    llvm::StringRef label = text.slice(begin, colon);
    if (!label.empty() && !llvm::all_of(label, llvm::isDigit) && !label.ends_with("$")) return true;
  }
  return text.contains(".global") || text.contains(".globl") || text.contains(".set ");
}

bool preventsCopy(const llvm::Instruction &instruction) {
  if (isa<llvm::IndirectBrInst>(instruction) || isa<llvm::CallBrInst>(instruction)) return true;
  if (instruction.getType()->isTokenTy() || instruction.isEHPad() != isa<llvm::LandingPadInst>(instruction)) return true;
  const auto *call = dyn_cast<llvm::CallBase>(&instruction);
  if (!call) return false;
  const auto *assembly = dyn_cast<llvm::InlineAsm>(call->getCalledOperand());
  return call->cannotDuplicate() || (assembly && definesLabel(*assembly));
}

} // namespace

bool canCopy(const llvm::Function &function) {
  for (const BasicBlock &block : function)
    if (block.hasAddressTaken()) return false;
  return llvm::none_of(llvm::instructions(function), preventsCopy);
}

void makeTwoBodies(const LateFunction &late, const std::vector<LoopCheck> &checks, const Hooks &hooks) {
  TwoBodies(late, hooks).make(checks);
}

void guardEachAccess(const LateFunction &late, const Hooks &hooks) {
  for (const LateAccess &entry : late.accesses) {
    llvm::Instruction *instruction = entry.access.instruction;
    llvm::IRBuilder<> builder(instruction);
    llvm::MDNode *rarely = weights(builder.getContext(), 1, kRarely);
    llvm::Instruction *told = llvm::SplitBlockAndInsertIfThen(hooks.isActive(builder), instruction, /*Unreachable=*/false, rarely);
    builder.SetInsertPoint(told);
    hooks.tell(builder, entry.access, entry.slot);
  }
}

} // namespace deadheat::instrument
