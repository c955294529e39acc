// What an access is. The only place that decides it: extract and instrument both ask here, so that static and dynamic
// findings speak of the same things.
//
// An access is one instruction's read or write of memory that another thread could reach. A copy of memory is two
// accesses of one instruction (`part` 0 writes, `part` 1 reads). Atomic operations in inline assembly are read (assembly.h).
//
// Not an access: stack slots whose address never leaves the function, by-value arguments likewise, constants and (where
// the code is optimised) tables of virtual functions, memory outside the generic address space, what the compiler adds
// for itself (coverage counters, sanitizer checks).
#pragma once

#include <cstdint>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"

#include "model/unit.h"

namespace deadheat::ir {

struct Access {
  llvm::Instruction *instruction = nullptr;
  llvm::Value *address = nullptr; // null: a fence
  llvm::Value *bytes = nullptr;   // ranges only: how many
  llvm::Value *mask = nullptr;    // lanes that take part, where that is decided at run time
  model::AccessKind kind = model::AccessKind::Read;
  uint32_t size = 0; // bytes; 0: known only at run time
  uint8_t part = 0;
  bool isText = false; // of a call: perhaps fewer bytes; 1 where nothing says how many
};

bool isWrite(model::AccessKind kind);
bool isRange(model::AccessKind kind);
bool isAtomic(model::AccessKind kind); // an operation on memory, not a fence

enum class LibraryCalls : bool { Omit, Include };

// Every access of `function`, in order of its instructions. What calls of the library do to memory is for models: when the
// program runs, the library's functions are watched instead, and how many bytes they touch is known there only.
llvm::SmallVector<Access, 0> accessesOf(llvm::Function &function, LibraryCalls library = LibraryCalls::Omit);

} // namespace deadheat::ir
