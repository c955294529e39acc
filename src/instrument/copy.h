// A copy of a function's blocks in another function, made for the told body.
//
// It is not LLVM's cloning, which walks the whole compile unit's debug info once for each function and follows every value
// by a handle: that was half of the time that sqlite3.c took at -O0 beyond clang's.
//
// Assumes no block's address is taken, and no instruction is a token or belongs to another exception model than
//         landing pads.
// Misses  Nothing that computes. Of metadata only what inline assembly needs to name its line is copied; of debug info
//         the places, as places of the function itself: an inlined instruction is where its call was.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace deadheat::instrument {

// From values, arguments and blocks of the original to those of the copy.
using CopyMap = llvm::DenseMap<const llvm::Value *, llvm::Value *>;

// Appends the blocks of `from` to `to`. `copies` has the arguments, and gets the rest.
void copyBlocks(llvm::Function &from, llvm::Function &to, CopyMap &copies);

} // namespace deadheat::instrument
