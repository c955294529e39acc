// The unit's side of the hook table (abi/): its globals and the calls through it.
#pragma once

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

#include "instrument/late.h"

namespace deadheat::instrument {

enum class Hook : unsigned {
#define HOOK(name, result, parameters) name,
#include "abi/hooks.def"
};

class Hooks {
public:
  Hooks(llvm::Module &module, size_t functionSlots, size_t accessSlots);

  // Whether a runtime is attached: an i1, one byte read from the table.
  llvm::Value *isActive(llvm::IRBuilder<> &builder) const;

  // In the C convention; see abi/table.h.
  llvm::CallInst *call(llvm::IRBuilder<> &builder, Hook hook, llvm::ArrayRef<llvm::Value *> arguments) const;

  // The call that tells of one late access.
  void tell(llvm::IRBuilder<> &builder, const ir::Access &access, model::LateId slot) const;

  llvm::Constant *functionSlot(uint32_t slot) const;

  // The note by which the runtime finds this unit (abi/note.h); `checksum` is that of the unit's model.
  void emitNote(uint64_t checksum) const;

private:
  llvm::Constant *accessSlot(model::LateId slot) const;
  void tellLanes(llvm::IRBuilder<> &builder, const ir::Access &access, llvm::Constant *slot) const;
  void emitConstructor(llvm::GlobalVariable *note) const;

  llvm::Module &module_;
  llvm::GlobalVariable *table_;
  llvm::GlobalVariable *functions_;
  llvm::GlobalVariable *accesses_;
};

} // namespace deadheat::instrument
