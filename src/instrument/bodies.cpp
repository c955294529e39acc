#include "instrument/bodies.h"

#include <optional>

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include "instrument/crossing.h"
#include "instrument/guard.h"
#include "instrument/plain.h"
#include "instrument/told.h"
#include "ir/assembly.h"

namespace deadheat::instrument {

using llvm::dyn_cast;
using llvm::isa;

namespace {

bool preventsCopy(const llvm::Instruction &instruction) {
  if (isa<llvm::IndirectBrInst>(instruction) || isa<llvm::CallBrInst>(instruction)) return true;
  if (instruction.getType()->isTokenTy() || instruction.isEHPad() != isa<llvm::LandingPadInst>(instruction))
    return true;
  const auto *call = dyn_cast<llvm::CallBase>(&instruction);
  if (!call) return false;
  const auto *assembly = dyn_cast<llvm::InlineAsm>(call->getCalledOperand());
  return call->cannotDuplicate() || (assembly && ir::definesLabel(*assembly));
}

// The told body with crossings has another caller and another frame than the function would have alone.
bool asksForFrame(const llvm::CallBase &call) {
  llvm::Intrinsic::ID intrinsic = call.getIntrinsicID();
  return intrinsic == llvm::Intrinsic::returnaddress || intrinsic == llvm::Intrinsic::addressofreturnaddress ||
         intrinsic == llvm::Intrinsic::frameaddress || intrinsic == llvm::Intrinsic::sponentry;
}

bool preventsCrossing(const llvm::Instruction &instruction) {
  if (const auto *slot = dyn_cast<llvm::AllocaInst>(&instruction))
    return !slot->isStaticAlloca() || slot->isSwiftError();
  const auto *call = dyn_cast<llvm::CallBase>(&instruction);
  return call && (call->isMustTailCall() || call->hasFnAttr(llvm::Attribute::ReturnsTwice) || asksForFrame(*call));
}

bool hasArgumentInMemory(const llvm::Function &function) {
  return llvm::any_of(function.args(),
                      [](const llvm::Argument &argument) { return argument.hasPassPointeeByValueCopyAttr(); });
}

bool hasUsualConvention(const llvm::Function &function) {
  return function.getCallingConv() == llvm::CallingConv::C || function.getCallingConv() == llvm::CallingConv::Fast;
}

// At the end of a constructor of globals AddressSanitizer adds a call, as if a guaranteed tail call were none.
bool mayBeAsanInitializer(const llvm::Function &function) {
  return function.hasFnAttribute(llvm::Attribute::SanitizeAddress) && function.arg_empty() &&
         function.getReturnType()->isVoidTy();
}

// A jump would tell of the exit first, and of one that an exception prevents.
bool tellsOfItsExit(const llvm::Function &function) {
  return function.hasFnAttribute("instrument-function-exit") ||
         function.hasFnAttribute("instrument-function-exit-inlined");
}

bool asksForFrame(const llvm::Function &function) {
  return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction &instruction) {
    const auto *call = dyn_cast<llvm::CallBase>(&instruction);
    return call && asksForFrame(*call);
  });
}

// These poison a stack slot that is out of scope. They see scopes in the plain body only, so slots cannot be shared.
bool watchesStackSlots(const llvm::Function &function) {
  return function.hasFnAttribute(llvm::Attribute::SanitizeAddress) ||
         function.hasFnAttribute(llvm::Attribute::SanitizeHWAddress) ||
         function.hasFnAttribute(llvm::Attribute::SanitizeMemTag);
}

// The doors of loops give a new value to what travels: which operand an address is lasts, the value does not.
struct SyncAccess {
  LateAccess entry;
  std::optional<unsigned> address;
};

llvm::SmallVector<SyncAccess, 8> syncAccesses(const LateFunction &late) {
  llvm::SmallVector<SyncAccess, 8> syncs;
  for (const LateAccess &entry : late.accesses) {
    if (!isSync(entry.access)) continue;
    SyncAccess &sync = syncs.emplace_back(SyncAccess{entry, std::nullopt});
    for (const llvm::Use &operand : entry.access.instruction->operands())
      if (operand == entry.access.address) sync.address = operand.getOperandNo();
  }
  return syncs;
}

} // namespace

bool canJumpToTold(const llvm::Function &function) {
  return hasUsualConvention(function) && !hasArgumentInMemory(function) && !mayBeAsanInitializer(function) &&
         !tellsOfItsExit(function);
}

// Variadic arguments pass on by a jump alone, and only a jump leaves the caller and the frame as they are.
bool canCopy(const llvm::Function &function) {
  bool hasAddressTaken = llvm::any_of(function, [](const llvm::BasicBlock &block) { return block.hasAddressTaken(); });
  if (hasAddressTaken || llvm::any_of(llvm::instructions(function), preventsCopy)) return false;
  return canJumpToTold(function) || (!function.isVarArg() && !asksForFrame(function));
}

bool canCross(const llvm::Function &function) {
  return !function.isVarArg() && !watchesStackSlots(function) &&
         llvm::none_of(llvm::instructions(function), preventsCrossing);
}

void makeTwoBodies(const LateFunction &late, const std::vector<LoopCheck> &checks, const Hooks &hooks) {
  Crossings crossings(*late.function, checks);
  if (!crossings.canTravel()) return makeTwoBodies(late, {}, hooks);
  llvm::SmallVector<SyncAccess, 8> syncs = syncAccesses(late);
  llvm::Function *told = makeTold(late, crossings, hooks);
  askInPlain(late, crossings, *told, hooks);
  for (llvm::Function *body : {late.function, told}) breakPromises(*body);
  for (SyncAccess &sync : syncs) { // last: blocks are split
    if (sync.address) sync.entry.access.address = sync.entry.access.instruction->getOperand(*sync.address);
    guardSync(sync.entry, hooks);
  }
}

} // namespace deadheat::instrument
