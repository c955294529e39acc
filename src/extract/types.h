// Questions about types in debug info.
#pragma once

#include <cstdint>
#include <string>

#include "llvm/IR/DebugInfoMetadata.h"

namespace deadheat::extract {

// Without typedefs, const, volatile, atomic and the like.
const llvm::DIType *plainType(const llvm::DIType *type);

// The type pointed to, or null for what is no pointer.
const llvm::DIType *pointee(const llvm::DIType *type);
bool isReference(const llvm::DIType *type);

uint64_t sizeInBytes(const llvm::DIType *type);

// `struct stats`, `Queue`, `unsigned int`; the nearest typedef names what has no name of its own.
std::string typeName(const llvm::DIType *type);

// The member of `composite` that covers byte `offset`; for a union, the one that fits `size` best. Null: none.
const llvm::DIDerivedType *memberAt(const llvm::DICompositeType &composite, uint64_t offset, uint64_t size);

} // namespace deadheat::extract
