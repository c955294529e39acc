// An address of an object is also that of its first member, and of that one's first member: which of them a call means
// is told by what it takes.
#pragma once

#include <string>

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstrTypes.h"

namespace deadheat::extract {

// What argument `index` of the call points to, as the callee has it; empty: unknown, or anything.
std::string wantedType(const llvm::CallBase &call, unsigned index);

// The way from an object to the first thing in it that is of the wanted type: `head.lock`. Empty: there is none, or it
// is the object itself. Inside the library's classes nothing is named.
std::string pathToFirst(const llvm::DIType *object, llvm::StringRef wanted);

} // namespace deadheat::extract
