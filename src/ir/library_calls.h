// What calls of the C library, and of C++'s own for nodes, read and write, where no body shows it.
//
// Assumes a function of that name that no unit defines is the library's.
// Misses  what is read by formats (%s), and what the library keeps for itself (strtok, localtime).
#pragma once

#include <span>
#include <string_view>

#include "llvm/IR/InstrTypes.h"

namespace deadheat::ir {

inline constexpr unsigned kText = ~0u;

struct LibraryAccess {
  std::string_view function;
  unsigned argument;
  unsigned length; // the argument that says how many bytes; kText: one at least
  bool isWrite;
  unsigned bytes = 1; // with kText: how many count as accessed
};

// Writes first, then by arguments; empty: nothing is known of it.
std::span<const LibraryAccess> libraryAccesses(const llvm::CallBase &call);

} // namespace deadheat::ir
