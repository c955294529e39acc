#include "instrument/crossing.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace deadheat::instrument {

using llvm::BasicBlock;
using llvm::dyn_cast;
using llvm::isa;

namespace {

// A phi's input that an invoke defines on the very edge has no place where it could be stored: make one.
void splitInvokeEdges(Crossing &crossing) {
  llvm::SmallVector<BasicBlock *, 4> sources(llvm::predecessors(crossing.header));
  for (BasicBlock *source : sources) {
    if (!isa<llvm::InvokeInst>(source->getTerminator())) continue;
    BasicBlock *between = llvm::SplitEdge(source, crossing.header);
    for (LoopCheck &check : crossing.checks)
      if (check.latch == source) check.latch = between;
  }
}

bool isStackSlot(const llvm::Value &value) {
  const auto *slot = dyn_cast<llvm::AllocaInst>(&value);
  return slot && slot->isStaticAlloca();
}

} // namespace

BasicBlock *blockOfUse(const llvm::Use &use) {
  auto *user = llvm::cast<llvm::Instruction>(use.getUser());
  if (auto *phi = dyn_cast<llvm::PHINode>(user)) return phi->getIncomingBlock(use);
  return user->getParent();
}

Crossings::Crossings(llvm::Function &function, const std::vector<LoopCheck> &checks) : function_(function) {
  for (const LoopCheck &check : checks) {
    auto [entry, isNew] = headers_.try_emplace(check.header, list_.size());
    if (isNew) list_.push_back({check.header, {}, {}, {}});
    list_[entry->second].checks.push_back(check);
  }
  if (list_.empty()) return;
  for (Crossing &crossing : list_) {
    splitInvokeEdges(crossing);
    for (llvm::PHINode &phi : crossing.header->phis()) crossing.phis.push_back(&phi);
  }
  findStackSlots();
  findLiveValues();
  dropDearCrossings();
  layOutFrame();
}

void Crossings::findStackSlots() {
  for (llvm::Instruction &instruction : function_.getEntryBlock())
    if (isStackSlot(instruction) && !instruction.use_empty())
      stackSlots_.push_back(llvm::cast<llvm::AllocaInst>(&instruction));
}

void Crossings::findLiveValues() {
  for (llvm::Argument &argument : function_.args()) walkLiveRange(argument);
  for (llvm::Instruction &instruction : llvm::instructions(function_))
    if (!isStackSlot(instruction) && !instruction.use_empty()) walkLiveRange(instruction);
}

void Crossings::dropDearCrossings() {
  llvm::erase_if(list_, [&](const Crossing &crossing) {
    size_t values = crossing.live.size() + crossing.phis.size();
    return values > kDoorFree && crossing.checks.front().loopSize / kDoorShare < values - kDoorFree;
  });
  llvm::SmallSetVector<llvm::Instruction *, 16> live;
  for (const Crossing &crossing : list_)
    for (llvm::Value *value : crossing.live)
      if (auto *instruction = dyn_cast<llvm::Instruction>(value)) live.insert(instruction);
  liveValues_.assign(live.begin(), live.end());
}

void Crossings::walkLiveRange(llvm::Value &value) {
  auto *instruction = dyn_cast<llvm::Instruction>(&value);
  const BasicBlock *home = instruction ? instruction->getParent() : nullptr;
  llvm::SmallPtrSet<const BasicBlock *, 16> seen;
  llvm::SmallVector<const BasicBlock *, 16> work;
  auto reach = [&](const BasicBlock *block) {
    if (block != home && seen.insert(block).second) work.push_back(block);
  };
  for (const llvm::Use &use : value.uses()) reach(blockOfUse(use));
  while (!work.empty()) {
    const BasicBlock *block = work.pop_back_val();
    if (auto header = headers_.find(block); header != headers_.end()) list_[header->second].live.push_back(&value);
    for (const BasicBlock *before : llvm::predecessors(block)) reach(before);
  }
}

unsigned Crossings::addField(llvm::Type *type) {
  fields_.push_back(type);
  return static_cast<unsigned>(fields_.size() - 1);
}

void Crossings::layOutFrame() {
  llvm::Type *result = function_.getReturnType();
  addField(result->isVoidTy() ? llvm::Type::getInt8Ty(function_.getContext()) : result);
  addField(llvm::PointerType::get(function_.getContext(), 0));
  for (llvm::Argument &argument : function_.args()) valueFields_[&argument] = addField(argument.getType());
  for (llvm::AllocaInst *slot : stackSlots_) valueFields_[slot] = addField(slot->getType());
  for (llvm::Instruction *value : liveValues_) valueFields_[value] = addField(value->getType());
  for (const Crossing &crossing : list_)
    for (llvm::PHINode *phi : crossing.phis) phiFields_[phi] = addField(phi->getType());
}

bool Crossings::canTravel() const {
  return llvm::all_of(fields_, [](llvm::Type *type) {
    return llvm::StructType::isValidElementType(type) && !type->isScalableTy() && !type->isX86_AMXTy();
  });
}

llvm::StructType *Crossings::frameType() const { return llvm::StructType::get(function_.getContext(), fields_); }

llvm::Value *Crossings::resultField(llvm::IRBuilder<> &builder, llvm::Value *frame) const {
  return builder.CreateStructGEP(frameType(), frame, 0);
}

llvm::Value *Crossings::returnSlotField(llvm::IRBuilder<> &builder, llvm::Value *frame) const {
  return builder.CreateStructGEP(frameType(), frame, 1);
}

llvm::Value *Crossings::valueField(llvm::IRBuilder<> &builder, llvm::Value *frame, const llvm::Value *value) const {
  return builder.CreateStructGEP(frameType(), frame, valueFields_.lookup(value));
}

llvm::Value *Crossings::phiField(llvm::IRBuilder<> &builder, llvm::Value *frame, const llvm::PHINode *phi) const {
  return builder.CreateStructGEP(frameType(), frame, phiFields_.lookup(phi));
}

} // namespace deadheat::instrument
