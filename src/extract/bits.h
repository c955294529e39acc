// Which bits of a word an access is about. Bit fields share a word: the machine reads and writes all of it, the source
// names one.
//
// Misses  bits that are looked at through anything but shifts and masks by constants; all bits then count as touched.
#pragma once

#include <cstdint>

#include "llvm/IR/Instruction.h"

namespace deadheat::extract {

// A mask of the loaded word's bits that are used, or of the stored word's bits that may change. A load that only keeps
// what a store puts back around its own field is about that field.
uint64_t touchedBits(const llvm::Instruction &instruction);

} // namespace deadheat::extract
