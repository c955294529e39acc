// The unit's side of the hook table (abi/): its globals and the calls through it.
#pragma once

#include <array>

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

#include "instrument/late.h"

namespace deadheat::instrument {

enum class Hook : unsigned {
#define HOOK(name, result, parameters) name,
#include "abi/hooks.def"
};

inline constexpr unsigned kHooks = 0
#define HOOK(name, result, parameters) +1
#include "abi/hooks.def"
    ;

inline constexpr uint32_t kRarely = 1u << 20; // to one

class Hooks {
public:
  Hooks(llvm::Module &module, const model::Unit &unit); // whose late accesses are all there

  // Whether a runtime is attached, and whether it wants synchronisation from the plain body: an i1, one byte read from
  // the table.
  llvm::Value *isActive(llvm::IRBuilder<> &builder) const;
  llvm::Value *isSyncTold(llvm::IRBuilder<> &builder) const;

  llvm::CallInst *call(llvm::IRBuilder<> &builder, Hook hook, llvm::ArrayRef<llvm::Value *> arguments,
                       llvm::CallingConv::ID convention = llvm::CallingConv::C) const;

  // The calls that tell of one late access, where `builder` stands. An atomic operation is told before and after:
  // `builder` stands right before it, and after the second call in the end.
  void tell(llvm::IRBuilder<> &builder, const ir::Access &access, model::LateId slot,
            llvm::CallingConv::ID convention = llvm::CallingConv::C) const;

  // The two calls around an atomic operation, each where `builder` stands.
  void tellBegin(llvm::IRBuilder<> &builder, const ir::Access &access, model::LateId slot,
                 llvm::CallingConv::ID convention) const;
  void tellEnd(llvm::IRBuilder<> &builder, const ir::Access &access, model::LateId slot,
               llvm::CallingConv::ID convention) const;

  llvm::Constant *functionSlot(uint32_t slot) const;

  // Whether plain bodies pass over calls themselves (abi/near.h). The thread's word, where `builder` stands; whether the function's pause,
  // which is counted down, was over; and the question, with the word's address.
  bool countsPauses() const { return near_ != nullptr; }
  llvm::Value *nearWord(llvm::IRBuilder<> &builder) const;
  llvm::Value *countDown(llvm::IRBuilder<> &builder, llvm::Value *near, uint32_t slot) const;
  llvm::CallInst *enter(llvm::IRBuilder<> &builder, uint32_t slot, llvm::CallingConv::ID convention) const;

  // Of a body that does not count itself: whether the told one shall run. A function of the unit counts for it, if pauses are counted.
  llvm::CallInst *ask(llvm::IRBuilder<> &builder, Hook hook, uint32_t slot, llvm::CallingConv::ID convention) const;

  // The note by which the runtime finds this unit (abi/note.h); `checksum` is that of the unit's model.
  void emitNote(uint64_t checksum) const;

private:
  llvm::Constant *slotIn(llvm::GlobalVariable *slots, uint32_t number) const;
  llvm::Constant *accessSlot(model::LateId slot) const;
  llvm::CallInst *call(llvm::IRBuilder<> &builder, Hook hook, llvm::FunctionType *type,
                       llvm::ArrayRef<llvm::Value *> arguments, llvm::CallingConv::ID convention) const;
  llvm::Function *stub(Hook hook) const;
  llvm::Function *makeQuestion(const char *name, Hook hook) const;
  llvm::Function *question() const;
  llvm::Function *counting(Hook hook) const;
  llvm::Value *countDown(llvm::IRBuilder<> &builder, llvm::Value *near, llvm::Value *slot, Hook hook) const;
  llvm::CallInst *enter(llvm::IRBuilder<> &builder, llvm::Value *slot, llvm::Value *returnSlot,
                        llvm::CallingConv::ID convention) const;
  llvm::Value *readFlag(llvm::IRBuilder<> &builder, unsigned offset) const;
  void tellPlain(llvm::IRBuilder<> &builder, Hook hook, llvm::SmallVectorImpl<llvm::Value *> &arguments,
                 model::LateId slot, llvm::CallingConv::ID convention) const;
  void tellLanes(llvm::IRBuilder<> &builder, const ir::Access &access, model::LateId slot,
                 llvm::CallingConv::ID convention) const;
  void emitConstructor(llvm::GlobalVariable *note) const;

  llvm::Module &module_;
  llvm::GlobalVariable *table_;
  llvm::GlobalVariable *functions_;
  llvm::GlobalVariable *accesses_;
  llvm::GlobalVariable *near_; // null: the code may go into a library
  mutable std::vector<uint8_t> functionBytes_;
  mutable std::array<llvm::Function *, kHooks> stubs_{};
  mutable std::array<llvm::Function *, 2> counting_{}; // by enter and loop
};

// A destructor stores the table of virtual functions that is there already, unless a derived class has put another: where it
// stores the same, it changes nothing that a call in another thread could see, and is not told.
bool mayChangeNothing(const ir::Access &access);

// Where the return address of the function that `builder` stands in lies.
llvm::Value *returnSlot(llvm::IRBuilder<> &builder);

// How a plain body calls a hook: such that the arguments stay in their registers, which only the optimising instruction
// selector can do.
llvm::CallingConv::ID plainConvention(const llvm::Function &function);

} // namespace deadheat::instrument
