// What inline assembly does to memory that other threads use, as far as its text and its constraints tell.
//
// Programs bring their own locks and counters as assembly (`lock xadd`, `xchg`, `mfence`). Left unread they would be
// locks that nobody sees.
//
// Claim   An instruction with a lock prefix, or an exchange with memory, is an atomic update of the memory operand, or of what
//         the first pointer in a register points to; a full barrier is a fence. Both are sequentially consistent, as they are on x86.
// Misses  A second memory operand, a compare-and-exchange that fails (it is taken to have succeeded), instructions that macros
//         of the assembler make, other machines than x86.
#pragma once

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstrTypes.h"

namespace deadheat::ir {

enum class AssemblyEffect { None, Update, Fence };

struct Assembly {
  AssemblyEffect effect = AssemblyEffect::None;
  llvm::Value *address = nullptr; // of an update
  uint32_t size = 0;              // bytes, likewise
};

Assembly readAssembly(const llvm::CallBase &call);

// Whether its text defines a name, so that there must not be a second copy of it.
bool definesLabel(const llvm::InlineAsm &assembly);

} // namespace deadheat::ir
