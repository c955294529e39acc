// An address taken apart: an object, a constant distance into it, and steps over elements.
//
// Claim   address = base + offset + sum of (count + value) * stride over the steps.
// Assumes early code, whose address computations still have the types of the source: a step over whole objects is told
//         from a distance in bytes by them.
// Misses  scalable vectors; computations with integers instead of addresses.
#pragma once

#include <cstdint>

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Value.h"

namespace deadheat::extract {

struct Step {
  const llvm::Value *value = nullptr; // null: a constant step
  int64_t count = 0;
  uint64_t stride = 0;
};

struct Address {
  const llvm::Value *base = nullptr;
  int64_t offset = 0;
  llvm::SmallVector<Step, 2> steps;
  const llvm::Type *view = nullptr; // as what the source looked at the base, if as a record
};

// The same address relative to every value that it was computed from: the root object comes first, the pointer itself
// last.
llvm::SmallVector<Address, 4> decompose(const llvm::Value *pointer, const llvm::DataLayout &layout);

} // namespace deadheat::extract
