// Which arguments formats of the C library name that are texts, or places to write to.
//
// Misses  wide texts (%ls); what %n is told.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace deadheat::ir {

// The texts (%s) of printf's, by their numbers after the format.
llvm::SmallVector<unsigned, 4> printed(llvm::StringRef format);

// What scanf's writes, likewise.
llvm::SmallVector<unsigned, 4> scanned(llvm::StringRef format);

} // namespace deadheat::ir
