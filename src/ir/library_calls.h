// What calls of the C library, and of C++'s own for nodes, read and write, where no body shows it.
//
// Assumes a function of that name that no unit defines is the library's.
// Misses  what formats name that are no constants, what lists of arguments hold (vprintf), and what the library keeps for
//         itself (strtok, localtime).
#pragma once

#include <string_view>

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstrTypes.h"

namespace deadheat::ir {

inline constexpr unsigned kNoArgument = ~0u;

// How many bytes a call touches, as its arguments say.
struct Length {
  unsigned bytes = kNoArgument; // the argument that says how many
  unsigned times = kNoArgument; // the argument that it is multiplied by
  bool isText = false;          // perhaps fewer: as many as there are. The first is certain
};

inline constexpr Length kText = {.isText = true};
constexpr Length bytesOf(unsigned argument) { return {.bytes = argument}; }
constexpr Length itemsOf(unsigned size, unsigned count) { return {.bytes = size, .times = count}; }
constexpr Length textOf(unsigned most) { return {.bytes = most, .isText = true}; }

struct LibraryAccess {
  std::string_view function;
  unsigned argument;
  Length length;
  bool isWrite;
  unsigned bytes = 1; // how many count as accessed where no argument says it
};

// Writes first, then by arguments, then what a constant format names; empty: nothing is known of it. Only pointers that are not null.
llvm::SmallVector<LibraryAccess, 2> libraryAccesses(const llvm::CallBase &call);

} // namespace deadheat::ir
