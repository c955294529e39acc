// Keeps a value in memory instead of in a register: stored once where it is defined, read once in each block that uses it.
//
// LLVM has DemoteRegToStack for this. It reads before every single use and into a slot of its own; here the memory is given, and
// blocks rather than uses pay, which is most of the told body's code size.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace deadheat::instrument {

// Makes the address of the memory, anew in each block: an address that lives across blocks would take a register of its own.
using Memory = llvm::function_ref<llvm::Value *(llvm::IRBuilder<> &)>;

// Uses of `value` in blocks other than `home` read `memory` instead.
void reloadInOtherBlocks(llvm::Value &value, llvm::BasicBlock *home, Memory memory);

// The same, and stores `value` where it is defined.
void keepInMemory(llvm::Instruction &value, Memory memory);

// The inputs of `phi` are stored where they come from, and read at its place. Returns what stands for the phi now.
llvm::Instruction *keepInputsInMemory(llvm::PHINode &phi, Memory memory);

} // namespace deadheat::instrument
